// Dynamic programming over a table, as Needleman-Wunsch and pathfinder of the Rodinia benchmarks.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// The scores of the best alignments of all prefixes of two sequences of n letters: a launch for
// each diagonal of the table, or for each diagonal of its tiles of 32 * 32 cells, a warp for each.
constexpr int kGap = 4;
constexpr unsigned kEdge = 32;

__device__ int Score(unsigned char a, unsigned char b) { return a == b ? 5 : -3; }

__device__ int BestOfThree(int diagonal, int up, int left) {
  return max(diagonal, max(up, left) - kGap);
}

__global__ void AlignDiagonal(const unsigned char* a, const unsigned char* b, int* scores,
                              unsigned n, unsigned first, unsigned last, unsigned diagonal) {
  const unsigned y = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (y > last) return;
  const unsigned x = diagonal - y;
  int* const cell = scores + y * (n + 1) + x;
  const int* const above = cell - (n + 1);
  *cell = BestOfThree(above[-1] + Score(a[y - 1], b[x - 1]), above[0], cell[-1]);
}

__global__ void AlignTile(const unsigned char* a, const unsigned char* b, int* scores, unsigned n,
                          unsigned first, unsigned diagonal) {
  __shared__ int tile[kEdge + 1][kEdge + 2];
  const unsigned t = threadIdx.x;
  const unsigned tile_y = first + blockIdx.x;
  const unsigned top = tile_y * kEdge;
  const unsigned left = (diagonal - tile_y) * kEdge;
  const unsigned char mine = b[left + t];
  tile[0][t + 1] = scores[top * (n + 1) + left + t + 1];
  tile[t + 1][0] = scores[(top + t + 1) * (n + 1) + left];
  if (t == 0) tile[0][0] = scores[top * (n + 1) + left];
  __syncwarp();
  for (unsigned step = 0; step < 2 * kEdge - 1; ++step) {
    const unsigned y = step - t;
    if (y < kEdge) {
      tile[y + 1][t + 1] =
          BestOfThree(tile[y][t] + Score(a[top + y], mine), tile[y][t + 1], tile[y + 1][t]);
    }
    __syncwarp();
  }
  for (unsigned y = 1; y <= kEdge; ++y) {
    scores[(top + y) * (n + 1) + left + t + 1] = tile[y][t + 1];
  }
}

struct Sequences {
  explicit Sequences(unsigned n);
  std::vector<double> Results() const { return OnHost(scores); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> a, b;
  std::shared_ptr<lab::DeviceArray<int>> scores;  // the edges are there from the start
};

Sequences::Sequences(unsigned n) : n(n) {
  a = Filled<unsigned char>(n, [](unsigned i) { return "acgt"[Mixed(i) % 4]; });
  b = Filled<unsigned char>(n, [](unsigned i) { return "acgt"[Mixed(i + i % 7 / 6) % 4]; });
  scores = Filled<int>((n + 1) * (n + 1), [=](unsigned i) {
    const unsigned y = i / (n + 1);
    const unsigned x = i % (n + 1);
    return y == 0 || x == 0 ? -kGap * static_cast<int>(x + y) : 0;
  });
}

void RunAlignDiagonals(const Sequences& p) {
  for (unsigned diagonal = 2; diagonal <= 2 * p.n; ++diagonal) {
    const unsigned first = diagonal > p.n ? diagonal - p.n : 1;
    const unsigned last = std::min(diagonal - 1, p.n);
    AlignDiagonal<<<Blocks(last - first + 1, 128), 128>>>(
        p.a->data(), p.b->data(), p.scores->data(), p.n, first, last, diagonal);
  }
}

void RunAlignTiles(const Sequences& p) {
  const unsigned tiles = p.n / kEdge;
  for (unsigned diagonal = 0; diagonal + 1 < 2 * tiles; ++diagonal) {
    const unsigned first = diagonal >= tiles ? diagonal - tiles + 1 : 0;
    const unsigned last = std::min(diagonal, tiles - 1);
    AlignTile<<<last - first + 1, kEdge>>>(p.a->data(), p.b->data(), p.scores->data(), p.n, first,
                                           diagonal);
  }
}

// The cheapest way down a wall to each brick of its last row, straight or to a neighbour's side: a
// launch for each row, or for 8 rows, which a block makes for 240 bricks and 8 at each side.
constexpr unsigned kRows = 32;
constexpr unsigned kAtOnce = 8;
constexpr unsigned kInside = 256 - 2 * kAtOnce;
constexpr unsigned kFar = 1u << 30;

__global__ void DescendRow(const unsigned* wall, const unsigned* from, unsigned* to, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  unsigned best = from[x];
  if (x > 0) best = min(best, from[x - 1]);
  if (x + 1 < n) best = min(best, from[x + 1]);
  to[x] = best + wall[x];
}

__global__ void DescendRows(const unsigned* wall, const unsigned* from, unsigned* to, unsigned n) {
  __shared__ unsigned rows[2][258];
  const unsigned t = threadIdx.x;
  const unsigned x = blockIdx.x * kInside + t - kAtOnce;  // huge to the left of the wall
  unsigned mine = x < n ? from[x] : kFar;
  if (t == 0) rows[0][0] = rows[1][0] = rows[0][257] = rows[1][257] = kFar;
  for (unsigned y = 0; y < kAtOnce; ++y) {
    unsigned* const row = rows[y % 2];
    row[t + 1] = mine;
    __syncthreads();
    if (x < n) mine = min(mine, min(row[t], row[t + 2])) + wall[y * n + x];
  }
  if (t >= kAtOnce && t < 256 - kAtOnce && x < n) to[x] = mine;
}

struct Wall {
  explicit Wall(unsigned n)
      : n(n),
        bricks(Filled<unsigned>(kRows * n, [](unsigned i) { return Mixed(i) % 10; })),
        top(Room<unsigned>(n)),
        lines{Room<unsigned>(n), Room<unsigned>(n)} {}
  std::vector<double> Results() const { return OnHost(lines[0]); }
  unsigned n;
  NumberArray bricks, top;
  NumberArray lines[2];
};

void RunDescendRow(const Wall& p) {
  Copy(p.top, p.lines[0]);
  for (unsigned y = 0; y < kRows; ++y) {
    DescendRow<<<Blocks(p.n), 256>>>(p.bricks->data() + y * p.n, p.lines[y % 2]->data(),
                                     p.lines[1 - y % 2]->data(), p.n);
  }
}

void RunDescendRows(const Wall& p) {
  Copy(p.top, p.lines[0]);
  for (unsigned k = 0; k < kRows / kAtOnce; ++k) {
    DescendRows<<<Blocks(p.n, kInside), 256>>>(p.bricks->data() + k * kAtOnce * p.n,
                                               p.lines[k % 2]->data(), p.lines[1 - k % 2]->data(),
                                               p.n);
  }
}

}  // namespace

std::vector<Problem> Alignment() {
  return {
      Of<Sequences>("Align", {128, 512, 1536},
                    {{"diagonals", RunAlignDiagonals}, {"tiles", RunAlignTiles}}),
      Of<Wall>("Descend", {1 << 11, 1 << 15, 1 << 18},
               {{"row", RunDescendRow}, {"rows", RunDescendRows}}),
  };
}

}  // namespace predict::exercises
