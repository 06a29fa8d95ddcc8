// Wrong: right, but an ordered region hands the carry from each tile to the next, and g++'s runtime
// lets the next tile in only when this one is written, too: the threads write one after the other.

#include <algorithm>

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

constexpr std::size_t kTile = 1 << 17;

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  std::int64_t carry = 0;
  const std::size_t tiles = values.size() / kTile + 1;
#pragma omp parallel for ordered schedule(static, 1)
  for (std::size_t t = 0; t < tiles; ++t) {
    const Tile tile = TileOf(values.size(), t, tiles);
    std::int64_t own = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) own += values[i];
    std::int64_t sum;
#pragma omp ordered
    {
      sum = carry;
      carry += own;
    }
    for (std::size_t i = tile.begin; i < tile.end; ++i) sums[i] = sum += values[i];
  }
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::uint64_t carry = 0;
  const std::size_t tiles = counts.size() / kTile + 1;
#pragma omp parallel for ordered schedule(static, 1)
  for (std::size_t t = 0; t < tiles; ++t) {
    const Tile tile = TileOf(counts.size(), t, tiles);
    std::uint64_t own = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) own += counts[i];
    std::uint64_t sum;
#pragma omp ordered
    {
      sum = carry;
      carry += own;
    }
    for (std::size_t i = tile.begin; i < tile.end; sum += counts[i], ++i) starts[i] = sum;
  }
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::size_t carry = 0;
  const std::size_t tiles = values.size() / kTile + 1;
#pragma omp parallel for ordered schedule(static, 1)
  for (std::size_t t = 0; t < tiles; ++t) {
    const Tile tile = TileOf(values.size(), t, tiles);
    std::size_t own = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) own += values[i] > limit;
    std::size_t slot;
#pragma omp ordered
    {
      slot = carry;
      carry += own;
    }
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      if (values[i] > limit) kept[slot++] = values[i];
    }
  }
  return carry;
}
