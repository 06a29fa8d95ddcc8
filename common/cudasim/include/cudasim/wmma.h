// nvcuda::wmma: matrix multiply and accumulate of a warp.  See "Warp Matrix Functions" in the CUDA
// C++ programming guide, and "wmma.mma" in the PTX ISA for the accumulation.
#pragma once

#include <limits>

#include "cudasim/fragment_memory.h"
#include "cudasim/fragments.h"

namespace nvcuda {
namespace wmma {

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  static_assert(::cudasim::HasFragment<Use, M, N, K, T>(),
                "cudasim: CUDA has no fragment of this shape and type, or it is not simulated; see "
                "common/cudasim/README.md");
  static_assert(std::is_same_v<Use, accumulator> == std::is_same_v<Layout, void>,
                "matrix_a and matrix_b need a layout, accumulators have none");

 public:
  using element_type = typename ::cudasim::FragmentElement<T>::Type;
  using storage_element_type = element_type;
  using Shape = ::cudasim::FragmentShape<Use, M, N, K>;
  static constexpr bool kAlongRows = ::cudasim::HeldAlongRows<Use, M, N, element_type, Layout>();
  static constexpr bool kIsInput = !std::is_same_v<Use, accumulator>;
  static constexpr int kWanted = !kIsInput                  ? 2
                                 : sizeof(element_type) < 4 ? 4 / sizeof(element_type)
                                                            : 1;
  using Held = ::cudasim::FragmentLayout<Shape::kRows, Shape::kColumns, kAlongRows, kWanted>;
  using Turned = ::cudasim::FragmentLayout<Shape::kRows, Shape::kColumns, !kAlongRows, kWanted>;
  // On a GPU two lanes hold each element of an input of 16 bits.  Here each lane has its own twice.
  static constexpr int kCopies = kIsInput && sizeof(element_type) == 2 ? 2 : 1;
  static constexpr int num_elements = Held::kHeld * kCopies;
  static constexpr int num_storage_elements = num_elements;

  fragment() = default;

  ::cudasim::FragmentElements<element_type, num_elements> x;
};

}  // namespace wmma
}  // namespace nvcuda

namespace cudasim {

constexpr char kUnsetFragment[] = "a fragment is used that nothing has filled or loaded";

template <class Fragment>
CUDASIM_INLINE void RequireSet(const Fragment& fragment, const char* file, int line) {
  if (fragment.x.is_set()) return;
  cudasim_misuse("invalid_matrix", file, line, kUnsetFragment,
                 "call fill_fragment() or load_matrix_sync() first");
}

// The value that the multiplication uses.
template <class Accumulator, class T>
CUDASIM_INLINE Accumulator Factor(T value) {
  return static_cast<Accumulator>(static_cast<float>(value));
}
template <>
CUDASIM_INLINE double Factor<double, double>(double value) {
  return value;
}
template <>
CUDASIM_INLINE long long Factor<long long, signed char>(signed char value) {
  return value;
}
template <>
CUDASIM_INLINE long long Factor<long long, unsigned char>(unsigned char value) {
  return value;
}
// TF32 has 10 bits of fraction; the others are ignored.
template <>
CUDASIM_INLINE float Factor<float, float>(float value) {
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) & ~0x1FFFu);
}

// In what type products are added up: at least single precision, also for an accumulator of half.
template <class T>
using SumOf = std::conditional_t<std::is_same_v<T, double>, double,
                                 std::conditional_t<std::is_integral_v<T>, long long, float>>;

template <class T, class Sum>
CUDASIM_INLINE T RoundSum(Sum sum, bool saturates) {
  if constexpr (std::is_integral_v<T>) {
    constexpr Sum kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
    if (saturates) sum = sum < kLeast ? kLeast : sum > kMost ? kMost : sum;
    return static_cast<T>(sum);
  } else {
    return T(sum);
  }
}

template <class D, class A, class B, class C>
struct MultiplyCall : MatrixCall {
  D* d;
  const A* a;
  const B* b;
  const C* c;
  bool saturates;
};

// Collects a factor of all lanes as a matrix.
template <class Fragment, class Sum, int kColumns, class Of>
CUDASIM_UNSEEN void Collect(MatrixCall* const* lanes, Sum (*matrix)[kColumns], Of of) {
  for (int lane = 0; lane < 32; ++lane) {
    const Fragment& fragment = of(lanes[lane]);
    for (int i = 0; i < Fragment::Held::kHeld; ++i) {
      const Position at = Fragment::Held::At(lane, i);
      matrix[at.row][at.column] = Factor<Sum>(fragment.x[i]);
    }
  }
}

// Adds the products in ascending order of k, which the PTX ISA leaves open.
template <class D, class A, class B, class C>
CUDASIM_UNSEEN void Multiply(MatrixCall* const* lanes) {
  using Call = MultiplyCall<D, A, B, C>;
  using Sum = SumOf<typename D::element_type>;
  constexpr int M = D::Shape::kRows, N = D::Shape::kColumns, K = A::Shape::kColumns;
  Sum a[M][K];
  Sum b[K][N];
  Collect<A>(lanes, a, [](MatrixCall* c) -> const A& { return *static_cast<Call*>(c)->a; });
  Collect<B>(lanes, b, [](MatrixCall* c) -> const B& { return *static_cast<Call*>(c)->b; });
  for (int lane = 0; lane < 32; ++lane) {
    Call& call = *static_cast<Call*>(lanes[lane]);
    for (int i = 0; i < D::Held::kHeld; ++i) {
      const Position at = D::Held::At(lane, i);
      Sum sum = static_cast<Sum>(call.c->x[i]);
      for (int k = 0; k < K; ++k) {
        if constexpr (std::is_same_v<Sum, double>) {
          sum = __builtin_fma(a[at.row][k], b[k][at.column], sum);
        } else {
          sum += a[at.row][k] * b[k][at.column];
        }
      }
      call.d->x[i] = RoundSum<typename D::element_type>(sum, call.saturates);
    }
  }
}

}  // namespace cudasim

namespace nvcuda {
namespace wmma {

// Rounds to the nearest value of TF32, ties away from zero.
CUDASIM_INLINE float __float_to_tf32(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return __builtin_bit_cast(float, finite ? (bits + 0x1000u) & ~0x1FFFu : bits);
}

template <class Use, int M, int N, int K, class T, class Layout, class Value>
CUDASIM_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout>& target, const Value& value) {
  using Fragment = fragment<Use, M, N, K, T, Layout>;
  for (int i = 0; i < Fragment::num_elements; ++i) {
    target.x[i] = static_cast<typename Fragment::element_type>(value);
  }
}

// `stride`: elements from one row, or column, to the next.
template <class Use, int M, int N, int K, class T, class Layout>
CUDASIM_INLINE void load_matrix_sync(
    fragment<Use, M, N, K, T, Layout>& target,
    const typename fragment<Use, M, N, K, T, Layout>::element_type* memory, unsigned stride,
    CUDASIM_HERE) {
  static_assert(!std::is_same_v<Layout, void>, "an accumulator is loaded with a layout");
  ::cudasim::MatrixCall call{nullptr, memory, stride};
  ::cudasim::RunMatrix(call, file, line);
  ::cudasim::RequireAligned(memory, stride, sizeof(*memory), file, line);
  ::cudasim::LoadMatrix(target, memory, stride, std::is_same_v<Layout, row_major>, file, line);
}

template <int M, int N, int K, class T>
CUDASIM_INLINE void load_matrix_sync(
    fragment<accumulator, M, N, K, T>& target,
    const typename fragment<accumulator, M, N, K, T>::element_type* memory, unsigned stride,
    layout_t layout, CUDASIM_HERE) {
  ::cudasim::MatrixCall call{nullptr, memory, stride};
  ::cudasim::RunMatrix(call, file, line);
  ::cudasim::RequireAligned(memory, stride, sizeof(*memory), file, line);
  ::cudasim::LoadMatrix(target, memory, stride, layout == mem_row_major, file, line);
}

template <int M, int N, int K, class T>
CUDASIM_INLINE void store_matrix_sync(
    typename fragment<accumulator, M, N, K, T>::element_type* memory,
    const fragment<accumulator, M, N, K, T>& source, unsigned stride, layout_t layout,
    CUDASIM_HERE) {
  ::cudasim::RequireSet(source, file, line);
  ::cudasim::MatrixCall call{nullptr, memory, stride};
  ::cudasim::RunMatrix(call, file, line);
  ::cudasim::RequireAligned(memory, stride, sizeof(*memory), file, line);
  ::cudasim::StoreMatrix(memory, source, stride, layout == mem_row_major, file, line);
}

// d = a * b + c.  `saturates`: integers, at the limits of int.
template <int M, int N, int K, class D, class A, class ALayout, class B, class BLayout, class C>
CUDASIM_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& d,
                             const fragment<matrix_a, M, N, K, A, ALayout>& a,
                             const fragment<matrix_b, M, N, K, B, BLayout>& b,
                             const fragment<accumulator, M, N, K, C>& c, bool saturates = false,
                             CUDASIM_HERE) {
  using DFragment = fragment<accumulator, M, N, K, D>;
  using AFragment = fragment<matrix_a, M, N, K, A, ALayout>;
  using BFragment = fragment<matrix_b, M, N, K, B, BLayout>;
  using CFragment = fragment<accumulator, M, N, K, C>;
  static_assert(std::is_same_v<A, B>, "both factors must have the same type");
  ::cudasim::RequireSet(a, file, line);
  ::cudasim::RequireSet(b, file, line);
  ::cudasim::RequireSet(c, file, line);
  DFragment result;
  ::cudasim::MultiplyCall<DFragment, AFragment, BFragment, CFragment> call;
  call.compute = ::cudasim::Multiply<DFragment, AFragment, BFragment, CFragment>;
  call.d = &result;
  call.a = &a;
  call.b = &b;
  call.c = &c;
  call.saturates = saturates;
  ::cudasim::RunMatrix(call, file, line);
  d = result;
}

}  // namespace wmma
}  // namespace nvcuda
