// Right: three phases, to which each part passes closures over a tile.

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

// Calls sum(tile) for every tile, then write(tile, before, after) with the sum of all tiles before
// it, without and with its own. Returns the sum of all tiles.
template <typename Sum, typename Write>
auto ThreePhases(std::size_t n, const Sum& sum, const Write& write) {
  const std::size_t tiles = omp_get_max_threads();
  std::vector<decltype(sum(Tile()))> carries(tiles + 1);
#pragma omp parallel for
  for (std::size_t t = 0; t < tiles; ++t) carries[t + 1] = sum(TileOf(n, t, tiles));

  for (std::size_t t = 0; t < tiles; ++t) carries[t + 1] += carries[t];

#pragma omp parallel for
  for (std::size_t t = 0; t < tiles; ++t) {
    write(TileOf(n, t, tiles), carries[t], carries[t + 1]);
  }
  return carries[tiles];
}

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  const auto sum = [&](Tile tile) {
    std::int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = tile.begin; i < tile.end; ++i) sum += values[i];
    return sum;
  };
  const auto write = [&](Tile tile, std::int64_t sum, std::int64_t) {
    for (std::size_t i = tile.begin; i < tile.end; ++i) sums[i] = sum += values[i];
  };
  ThreePhases(values.size(), sum, write);
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  const auto sum = [&](Tile tile) {
    std::uint64_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = tile.begin; i < tile.end; ++i) sum += counts[i];
    return sum;
  };
  const auto write = [&](Tile tile, std::uint64_t start, std::uint64_t) {
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      starts[i] = start;
      start += counts[i];
    }
  };
  ThreePhases(counts.size(), sum, write);
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  const auto count = [&](Tile tile) {
    std::size_t count = 0;
#pragma omp simd reduction(+ : count)
    for (std::size_t i = tile.begin; i < tile.end; ++i) count += values[i] > limit;
    return count;
  };
  // Writes every value and moves on only if it is kept: no branch to guess wrongly. The next one to
  // be kept overwrites it, and after the last one the loop ends, so the next tile's slots and the
  // rest of the room stay as they are.
  const auto write = [&](Tile tile, std::size_t slot, std::size_t end) {
    for (std::size_t i = tile.begin; slot < end; ++i) {
      kept[slot] = values[i];
      slot += values[i] > limit;
    }
  };
  return ThreePhases(values.size(), count, write);
}
