// Loads and stores of fragments of nvcuda::wmma, with the accesses that a GPU makes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudasim/fragments.h"
#include "cudasim/ptx.h"
#include "cudasim/words.h"

namespace cudasim {

CUDASIM_INLINE void RequireAligned(const void* memory, unsigned stride, std::size_t element_bytes,
                                   const char* file, int line) {
  if (reinterpret_cast<std::uintptr_t>(memory) % 32 != 0) {
    cudasim_misuse("invalid_matrix", file, line, "the address of a matrix is misaligned",
                   "it must be a multiple of 32 bytes");
  }
  if (stride * element_bytes % 16 != 0) {
    cudasim_misuse("invalid_matrix", file, line,
                   "the distance between rows or columns of a matrix is misaligned",
                   "it must be a multiple of 16 bytes");
  }
}

CUDASIM_INLINE std::size_t Offset(Position at, unsigned stride, bool by_rows) {
  return by_rows ? std::size_t{stride} * at.row + at.column
                 : std::size_t{stride} * at.column + at.row;
}

// Visits the lane's pieces: visit(first element, offset in memory), with `along` elements each.
template <class Held, int kAlong, class Visit>
CUDASIM_INLINE void VisitPieces(unsigned stride, bool by_rows, Visit visit) {
  const auto lane = static_cast<int>(ptx::LaneId());
  for (int i = 0; i < Held::kHeld; i += kAlong) {
    visit(i, Offset(Held::At(lane, i), stride, by_rows));
  }
}

// take(i, value) gets element i of the lane.
template <class Held, int kAlong, class T, class Take>
CUDASIM_INLINE void LoadPieces(const T* memory, unsigned stride, bool by_rows, Take take) {
  VisitPieces<Held, kAlong>(stride, by_rows, [&](int first, std::size_t offset) {
    const auto piece = ReadPiece<T, kAlong>(memory + offset);
    for (int j = 0; j < kAlong; ++j) take(first + j, piece.values[j]);
  });
}

// give(i) is element i of the lane.
template <class Held, int kAlong, class T, class Give>
CUDASIM_INLINE void StorePieces(T* memory, unsigned stride, bool by_rows, Give give) {
  VisitPieces<Held, kAlong>(stride, by_rows, [&](int first, std::size_t offset) {
    Piece<T, kAlong> piece;
    for (int j = 0; j < kAlong; ++j) piece.values[j] = give(first + j);
    WritePiece(memory + offset, piece);
  });
}

template <class T, int kHeld>
struct TurnCall : MatrixCall {
  T given[kHeld];
  T taken[kHeld];
};

// Hands elements over: from lanes that hold them as From to lanes that hold them as To.
template <class From, class To, class T>
CUDASIM_UNSEEN void Turn(MatrixCall* const* lanes) {
  using Call = TurnCall<T, From::kHeld>;
  T matrix[32][32];
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < From::kHeld; ++i) {
      const Position at = From::At(lane, i);
      matrix[at.row][at.column] = static_cast<const Call*>(lanes[lane])->given[i];
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < To::kHeld; ++i) {
      const Position at = To::At(lane, i);
      static_cast<Call*>(lanes[lane])->taken[i] = matrix[at.row][at.column];
    }
  }
}

// Whether nvcc turns an accumulator in registers, to load and store it in larger pieces.
template <class Fragment>
constexpr bool kIsTurned = sizeof(typename Fragment::element_type) == 2;

template <class Fragment>
CUDASIM_INLINE void LoadMatrix(Fragment& fragment, const typename Fragment::element_type* memory,
                               unsigned stride, bool by_rows, const char* file, int line) {
  using Held = typename Fragment::Held;
  using Turned = typename Fragment::Turned;
  using T = typename Fragment::element_type;
  const auto take = [&](int i, T value) {
    for (int copy = 0; copy < Fragment::kCopies; ++copy) fragment.x[i + copy * Held::kHeld] = value;
  };
  if (by_rows == Fragment::kAlongRows) {
    LoadPieces<Held, Held::kPiece>(memory, stride, by_rows, take);
  } else if constexpr (kIsTurned<Fragment>) {
    TurnCall<T, Held::kHeld> call;
    call.compute = Turn<Turned, Held, T>;
    LoadPieces<Turned, Turned::kPiece>(memory, stride, by_rows,
                                       [&](int i, T value) { call.given[i] = value; });
    RunMatrix(call, file, line);
    for (int i = 0; i < Held::kHeld; ++i) take(i, call.taken[i]);
  } else {
    LoadPieces<Held, 1>(memory, stride, by_rows, take);
  }
}

template <class Fragment>
CUDASIM_INLINE void StoreMatrix(typename Fragment::element_type* memory, const Fragment& fragment,
                                unsigned stride, bool by_rows, const char* file, int line) {
  using Held = typename Fragment::Held;
  using Turned = typename Fragment::Turned;
  using T = typename Fragment::element_type;
  const auto give = [&](int i) { return fragment.x[i]; };
  if (by_rows == Fragment::kAlongRows) {
    StorePieces<Held, Held::kPiece>(memory, stride, by_rows, give);
  } else if constexpr (kIsTurned<Fragment>) {
    TurnCall<T, Held::kHeld> call;
    call.compute = Turn<Held, Turned, T>;
    for (int i = 0; i < Held::kHeld; ++i) call.given[i] = give(i);
    RunMatrix(call, file, line);
    StorePieces<Turned, Turned::kPiece>(memory, stride, by_rows,
                                        [&](int i) { return call.taken[i]; });
  } else {
    StorePieces<Held, 1>(memory, stride, by_rows, give);
  }
}

}  // namespace cudasim
