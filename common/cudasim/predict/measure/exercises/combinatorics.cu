// A search through many possibilities.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// In how many ways n queens fit on a board: a thread for each place of the first three queens goes
// through all others, with the columns in an array or with bits for what is attacked.
constexpr unsigned kMaxQueens = 16;
constexpr unsigned kPlaced = 3;

__device__ bool IsAttacked(const unsigned char* columns, unsigned row) {
  const int column = columns[row];
  for (unsigned above = 0; above < row; ++above) {
    const int apart = column - columns[above];
    if (apart == 0 || abs(apart) == static_cast<int>(row - above)) return true;
  }
  return false;
}

__global__ void QueensInArrays(unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n * n) return;
  unsigned char columns[kMaxQueens] = {static_cast<unsigned char>(i / n / n),
                                       static_cast<unsigned char>(i / n % n),
                                       static_cast<unsigned char>(i % n)};
  for (unsigned row = 1; row < kPlaced; ++row) {
    if (IsAttacked(columns, row)) return;
  }
  unsigned found = 0;
  unsigned row = kPlaced;
  columns[row] = 0;
  while (true) {
    if (columns[row] == n) {
      if (row == kPlaced) break;
      ++columns[--row];
    } else if (IsAttacked(columns, row)) {
      ++columns[row];
    } else if (row + 1 == n) {
      ++found;
      ++columns[row];
    } else {
      columns[++row] = 0;
    }
  }
  if (found > 0) atomicAdd(count, found);
}

// The bits of the columns that queens attack in the next row, straight and to both sides.
struct Attacks {
  unsigned straight, left, right;
};

__device__ Attacks WithQueen(Attacks a, unsigned bit) {
  return {a.straight | bit, (a.left | bit) << 1, (a.right | bit) >> 1};
}

__device__ unsigned Free(Attacks a, unsigned n) {
  return ~(a.straight | a.left | a.right) & ((1u << n) - 1);
}

__global__ void QueensInBits(unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n * n) return;
  Attacks attacks[kMaxQueens];
  unsigned left[kMaxQueens];  // places that are to be tried
  Attacks first = {0, 0, 0};
  for (const unsigned column : {i / n / n, i / n % n, i % n}) {
    if ((Free(first, n) >> column & 1) == 0) return;
    first = WithQueen(first, 1u << column);
  }
  unsigned found = 0;
  int depth = 0;
  attacks[0] = first;
  left[0] = Free(first, n);
  while (depth >= 0) {
    const unsigned bit = left[depth] & (0u - left[depth]);
    if (bit == 0) {
      --depth;
      continue;
    }
    left[depth] ^= bit;
    if (kPlaced + static_cast<unsigned>(depth) + 1 == n) {
      ++found;
      continue;
    }
    const Attacks next = WithQueen(attacks[depth], bit);
    ++depth;
    attacks[depth] = next;
    left[depth] = Free(next, n);
  }
  if (found > 0) atomicAdd(count, found);
}

struct Board {
  explicit Board(unsigned n) : n(n), count(Room<unsigned>(1)) {}
  std::vector<double> Results() const { return OnHost(count); }
  unsigned n;
  NumberArray count;
};

template <void (*kKernel)(unsigned*, unsigned)>
void RunQueens(const Board& p) {
  p.count->Fill(0);
  kKernel<<<Blocks(p.n * p.n * p.n, 96), 96>>>(p.count->data(), p.n);
}

}  // namespace

std::vector<Problem> Combinatorics() {
  return {
      Of<Board>("Queens", {7, 9, 12},
                {{"arrays", RunQueens<QueensInArrays>}, {"bits", RunQueens<QueensInBits>}}),
  };
}

}  // namespace predict::exercises
