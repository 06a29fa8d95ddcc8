// Right: each tile is scanned in the output first, then lifted by its carry; what a tile keeps is
// packed into room of its own and copied to its place.

#include <omp.h>

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

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
#pragma omp parallel
  {
    const Tile tile = TileOf(values.size(), omp_get_thread_num(), omp_get_num_threads());
    std::int64_t sum = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) sums[i] = sum += values[i];
#pragma omp barrier
    // The last sum of each tile before, as long as nobody has lifted them.
    std::int64_t carry = 0;
    for (int t = 0; t < omp_get_thread_num(); ++t) {
      const Tile before = TileOf(values.size(), t, omp_get_num_threads());
      if (before.begin < before.end) carry += sums[before.end - 1];
    }
#pragma omp barrier
    for (std::size_t i = tile.begin; i < tile.end; ++i) sums[i] += carry;
  }
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::vector<std::uint64_t> totals(omp_get_max_threads());
#pragma omp parallel
  {
    const Tile tile = TileOf(counts.size(), omp_get_thread_num(), omp_get_num_threads());
    std::uint64_t start = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      starts[i] = start;
      start += counts[i];
    }
    totals[omp_get_thread_num()] = start;
#pragma omp barrier
    std::uint64_t carry = 0;
    for (int t = 0; t < omp_get_thread_num(); ++t) carry += totals[t];
    for (std::size_t i = tile.begin; i < tile.end; ++i) starts[i] += carry;
  }
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::vector<std::size_t> counts(omp_get_max_threads());
  std::size_t total = 0;
#pragma omp parallel
  {
    const Tile tile = TileOf(values.size(), omp_get_thread_num(), omp_get_num_threads());
    std::vector<float> mine;
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      if (values[i] > limit) mine.push_back(values[i]);
    }
    counts[omp_get_thread_num()] = mine.size();
#pragma omp atomic
    total += mine.size();
#pragma omp barrier
    std::size_t slot = 0;
    for (int t = 0; t < omp_get_thread_num(); ++t) slot += counts[t];
    std::copy(mine.begin(), mine.end(), kept.begin() + slot);
  }
  return total;
}
