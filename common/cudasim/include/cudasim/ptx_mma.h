// ldmatrix, and mma.sync.m16n8kK: which elements a lane's registers hold, and the product.  See
// "Matrix fragments for mma.m16n8k8", "... m16n8k16" and "... m16n8k32" in the PTX ISA.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "cudasim/ptx.h"
#include "cudasim/small_float.h"
#include "cudasim/warp_matrix.h"

namespace cudasim::ptx {

struct RowCall : MatrixCall {
  std::uint16_t row[8];
  std::uint32_t* registers;
};

// A lane gets elements 2 * (lane % 4) and the next of row lane / 4, or of that column.
template <int kMatrices, bool kTransposed>
CUDASIM_UNSEEN void DealRows(MatrixCall* const* lanes) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int m = 0; m < kMatrices; ++m) {
      const auto element = [&](int row, int column) -> std::uint32_t {
        if (kTransposed) std::swap(row, column);
        return static_cast<const RowCall*>(lanes[8 * m + row])->row[column];
      };
      const int row = lane / 4, column = lane % 4 * 2;
      static_cast<RowCall*>(lanes[lane])->registers[m] =
          element(row, column) | element(row, column + 1) << 16;
    }
  }
}

// ldmatrix: lane i reads row i % 8 of matrix i / 8, of 16 bytes.
template <int kMatrices, bool kTransposed>
CUDASIM_INLINE void LoadMatrices(const char* row, std::uint32_t* registers, const char* file,
                                 int line) {
  if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0) {
    cudasim_misuse("invalid_matrix", file, line, "ldmatrix gets a misaligned address",
                   "each row must begin at a multiple of 16 bytes");
  }
  RowCall call;
  call.compute = DealRows<kMatrices, kTransposed>;
  call.registers = registers;
  if (LaneId() < 8 * kMatrices) {
    const auto piece = ReadPiece<std::uint16_t, 8>(row);
    std::memcpy(call.row, piece.values, sizeof piece.values);
  }
  RunMatrix(call, file, line);
}

// Types of elements: how many a register holds, and the value of each.
template <class Format>
struct Float16 {
  using Sum = float;
  static constexpr int kIn = 2;
  static CUDASIM_INLINE float At(std::uint32_t bits, int i) {
    return Format::Widen(static_cast<unsigned short>(bits >> 16 * i));
  }
};
struct F16 : Float16<HalfFormat> {
  static CUDASIM_INLINE std::uint32_t With(std::uint32_t bits, int i, float value, bool) {
    const std::uint32_t mask = 0xFFFFu << 16 * i;
    return (bits & ~mask) | static_cast<std::uint32_t>(HalfFormat::Narrow(value)) << 16 * i;
  }
};
struct Bf16 : Float16<BfloatFormat> {};
struct Tf32 {
  static constexpr int kIn = 1;
  static CUDASIM_INLINE float At(std::uint32_t bits, int) {
    return __builtin_bit_cast(float, bits & ~0x1FFFu);  // the low bits are ignored
  }
};
struct F32 {
  using Sum = float;
  static constexpr int kIn = 1;
  static CUDASIM_INLINE float At(std::uint32_t bits, int) {
    return __builtin_bit_cast(float, bits);
  }
  static CUDASIM_INLINE std::uint32_t With(std::uint32_t, int, float value, bool) {
    return __builtin_bit_cast(std::uint32_t, value);
  }
};
template <class T>
struct Byte {
  static constexpr int kIn = 4;
  static CUDASIM_INLINE long long At(std::uint32_t bits, int i) {
    return static_cast<T>(bits >> 8 * i);
  }
};
using S8 = Byte<std::int8_t>;
using U8 = Byte<std::uint8_t>;
struct S32 {
  using Sum = long long;
  static constexpr int kIn = 1;
  static CUDASIM_INLINE long long At(std::uint32_t bits, int) {
    return static_cast<std::int32_t>(bits);
  }
  static CUDASIM_INLINE std::uint32_t With(std::uint32_t, int, long long value, bool saturates) {
    constexpr long long kLeast = std::numeric_limits<int>::min();
    constexpr long long kMost = std::numeric_limits<int>::max();
    if (saturates) value = value < kLeast ? kLeast : value > kMost ? kMost : value;
    return static_cast<std::uint32_t>(value);
  }
};

// Registers of a lane.  `n` of a factor A: rows lane / 4 and that plus 8 in turn.
struct MmaCall : MatrixCall {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  std::uint32_t* d;
  bool saturates;
};

// Adds the products in ascending order of k, which the PTX ISA leaves open.
template <int K, class A, class B, class D, class C>
CUDASIM_UNSEEN void MultiplyLanes(MatrixCall* const* lanes) {
  using Sum = typename D::Sum;
  Sum a[16][K];
  Sum b[K][8];
  for (int lane = 0; lane < 32; ++lane) {
    const MmaCall& call = *static_cast<MmaCall*>(lanes[lane]);
    for (int k = 0; k < K / (4 * A::kIn); ++k) {
      for (int i = 0; i < A::kIn; ++i) {
        const int column = A::kIn * (lane % 4) + 4 * A::kIn * k + i;
        a[lane / 4][column] = A::At(call.a[2 * k], i);
        a[lane / 4 + 8][column] = A::At(call.a[2 * k + 1], i);
        b[column][lane / 4] = B::At(call.b[k], i);
      }
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    MmaCall& call = *static_cast<MmaCall*>(lanes[lane]);
    for (int i = 0; i < 4; ++i) {  // rows lane / 4 and that plus 8, two columns of each
      const int row = lane / 4 + i / 2 * 8;
      const int column = lane % 4 * 2 + i % 2;
      Sum sum = C::At(call.c[i / C::kIn], i % C::kIn);
      for (int k = 0; k < K; ++k) sum += a[row][k] * b[k][column];
      std::uint32_t& to = call.d[i / D::kIn];
      to = D::With(to, i % D::kIn, sum, call.saturates);
    }
  }
}

template <int K, class A, class B, class D, class C>
CUDASIM_INLINE void Mma(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                        std::uint32_t* d, bool saturates, const char* file, int line) {
  MmaCall call;
  call.compute = MultiplyLanes<K, A, B, D, C>;
  call.a = a;
  call.b = b;
  call.c = c;
  call.d = d;
  call.saturates = saturates;
  RunMatrix(call, file, line);
}

}  // namespace cudasim::ptx
