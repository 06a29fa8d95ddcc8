// Fragments of nvcuda::wmma: which elements of a matrix a lane holds.
//
// CUDA leaves the layout open.  Here it is that of the mma instructions of the PTX ISA, so that
// loads and stores are those of a GPU: along a row, four lanes hold adjacent pieces, inputs of 4
// bytes at least and accumulators of two elements; eight such rows make one access of the warp.
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cudasim/warp_matrix.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
}  // namespace precision

}  // namespace wmma
}  // namespace nvcuda

namespace cudasim {

template <class T>
struct FragmentElement {
  using Type = T;
};
template <>
struct FragmentElement<nvcuda::wmma::precision::tf32> {
  using Type = float;
};

// Rows x columns of a fragment.
template <class Use, int M, int N, int K>
struct FragmentShape {
  static constexpr int kRows = M, kColumns = N;
};
template <int M, int N, int K>
struct FragmentShape<nvcuda::wmma::matrix_a, M, N, K> {
  static constexpr int kRows = M, kColumns = K;
};
template <int M, int N, int K>
struct FragmentShape<nvcuda::wmma::matrix_b, M, N, K> {
  static constexpr int kRows = K, kColumns = N;
};

// Whether CUDA has a fragment of this shape and type.
template <class Use, int M, int N, int K, class T>
constexpr bool HasFragment() {
  constexpr bool input = !std::is_same_v<Use, nvcuda::wmma::accumulator>;
  constexpr bool large =
      K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
  constexpr bool medium = M == 16 && N == 16 && K == 8;
  constexpr bool small = M == 8 && N == 8 && K == 4;
  if constexpr (std::is_same_v<T, __half>) return large;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return input && large;
  if constexpr (std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>) {
    return input && large;
  }
  if constexpr (std::is_same_v<T, nvcuda::wmma::precision::tf32>) return input && medium;
  if constexpr (std::is_same_v<T, double>) return small;
  if constexpr (std::is_same_v<T, float>) return !input && (large || medium);
  if constexpr (std::is_same_v<T, int>) return !input && large;
  return false;
}

struct Position {
  int row;
  int column;
};

// Whether adjacent elements of a lane lie in one row. 16-bit inputs are held as they lie in memory,
// others along K. Accumulators are held by rows, but of 8 x 32 x 16, which is computed transposed.
template <class Use, int M, int N, class T, class Layout>
constexpr bool HeldAlongRows() {
  if constexpr (std::is_same_v<Use, nvcuda::wmma::accumulator>) return !(M == 8 && N == 32);
  if constexpr (sizeof(T) == 2) return std::is_same_v<Layout, nvcuda::wmma::row_major>;
  return std::is_same_v<Use, nvcuda::wmma::matrix_a>;
}

// kWanted: adjacent elements, if there are as many.
template <int kRows, int kColumns, bool kAlongRows, int kWanted>
struct FragmentLayout {
  static constexpr int kFast = kAlongRows ? kColumns : kRows;
  static constexpr int kHeld = kRows * kColumns / 32;                       // elements of a lane
  static constexpr int kPiece = kFast / 4 < kWanted ? kFast / 4 : kWanted;  // adjacent elements
  static constexpr int kPieces = kFast / (4 * kPiece);                      // along a row

  static constexpr Position At(int lane, int i) {
    const int fast = (lane % 4) * kPiece + i % kPiece + 4 * kPiece * (i / kPiece % kPieces);
    const int slow = lane / 4 + 8 * (i / kPiece / kPieces);
    return kAlongRows ? Position{slow, fast} : Position{fast, slow};
  }
};

// A lane's elements.  Tells whether they have ever been set: what can change one counts as setting.
template <class T, int kCount>
class FragmentElements {
 public:
  FragmentElements() = default;
  CUDASIM_INLINE T& operator[](int i) {
    is_set_ = true;
    return values_[i];
  }
  CUDASIM_INLINE const T& operator[](int i) const { return values_[i]; }
  CUDASIM_INLINE operator T*() {
    is_set_ = true;
    return values_;
  }
  CUDASIM_INLINE bool is_set() const { return is_set_; }

 private:
  T values_[kCount];
  bool is_set_ = false;
};

}  // namespace cudasim
