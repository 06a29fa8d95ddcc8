// Right: a task for each tile and phase; taskgroups stand between the phases.

#include <algorithm>
#include <vector>

#include "labs/openmp_scan/scan.h"

namespace {

// The elements [begin, end).
struct Tile {
  std::size_t begin;
  std::size_t end;
};

// The t-th of `tiles` tiles of n elements; their sizes differ by one at most, and may be 0.
Tile TileOf(std::size_t n, std::size_t t, std::size_t tiles) {
  const auto begin = [&](std::size_t i) { return n / tiles * i + std::min(i, n % tiles); };
  return {begin(t), begin(t + 1)};
}

constexpr std::size_t kTiles = 32;

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  std::vector<std::int64_t> carries(kTiles + 1);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(1)
    for (std::size_t t = 0; t < kTiles; ++t) {
      const Tile tile = TileOf(values.size(), t, kTiles);
      for (std::size_t i = tile.begin; i < tile.end; ++i) carries[t + 1] += values[i];
    }
    for (std::size_t t = 0; t < kTiles; ++t) carries[t + 1] += carries[t];
#pragma omp taskloop grainsize(1)
    for (std::size_t t = 0; t < kTiles; ++t) {
      const Tile tile = TileOf(values.size(), t, kTiles);
      std::int64_t sum = carries[t];
      for (std::size_t i = tile.begin; i < tile.end; ++i) sums[i] = sum += values[i];
    }
  }
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::vector<std::uint64_t> carries(kTiles + 1);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(1)
    for (std::size_t t = 0; t < kTiles; ++t) {
      const Tile tile = TileOf(counts.size(), t, kTiles);
      for (std::size_t i = tile.begin; i < tile.end; ++i) carries[t + 1] += counts[i];
    }
    for (std::size_t t = 0; t < kTiles; ++t) carries[t + 1] += carries[t];
#pragma omp taskloop grainsize(1)
    for (std::size_t t = 0; t < kTiles; ++t) {
      const Tile tile = TileOf(counts.size(), t, kTiles);
      std::uint64_t sum = carries[t];
      for (std::size_t i = tile.begin; i < tile.end; sum += counts[i], ++i) starts[i] = sum;
    }
  }
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::vector<std::size_t> carries(kTiles + 1);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(1)
    for (std::size_t t = 0; t < kTiles; ++t) {
      const Tile tile = TileOf(values.size(), t, kTiles);
      for (std::size_t i = tile.begin; i < tile.end; ++i) carries[t + 1] += values[i] > limit;
    }
    for (std::size_t t = 0; t < kTiles; ++t) carries[t + 1] += carries[t];
#pragma omp taskloop grainsize(1)
    for (std::size_t t = 0; t < kTiles; ++t) {
      const Tile tile = TileOf(values.size(), t, kTiles);
      std::size_t slot = carries[t];
      for (std::size_t i = tile.begin; i < tile.end; ++i) {
        if (values[i] > limit) kept[slot++] = values[i];
      }
    }
  }
  return carries[kTiles];
}
