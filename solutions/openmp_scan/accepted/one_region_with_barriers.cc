// Right: one parallel region, a barrier between the phases, one thread scans the carries.

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

// Replaces each sum by the sum of those before it; returns the sum of all.
template <typename T>
T CarriesFromSums(std::vector<T>& sums) {
  T total = 0;
  for (T& sum : sums) {
    const T carry = total;
    total += sum;
    sum = carry;
  }
  return total;
}

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  std::vector<std::int64_t> carries(omp_get_max_threads());
#pragma omp parallel
  {
    const Tile tile = TileOf(values.size(), omp_get_thread_num(), omp_get_num_threads());
    std::int64_t sum = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) sum += values[i];
    carries[omp_get_thread_num()] = sum;
#pragma omp barrier
#pragma omp single
    CarriesFromSums(carries);
    sum = carries[omp_get_thread_num()];
    for (std::size_t i = tile.begin; i < tile.end; ++i) sums[i] = sum += values[i];
  }
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::vector<std::uint64_t> carries(omp_get_max_threads());
#pragma omp parallel
  {
    const Tile tile = TileOf(counts.size(), omp_get_thread_num(), omp_get_num_threads());
    std::uint64_t sum = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) sum += counts[i];
    carries[omp_get_thread_num()] = sum;
#pragma omp barrier
#pragma omp single
    CarriesFromSums(carries);
    sum = carries[omp_get_thread_num()];
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      starts[i] = sum;
      sum += counts[i];
    }
  }
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::vector<std::size_t> carries(omp_get_max_threads());
  std::size_t total = 0;
#pragma omp parallel
  {
    const Tile tile = TileOf(values.size(), omp_get_thread_num(), omp_get_num_threads());
    std::size_t count = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) count += values[i] > limit;
    carries[omp_get_thread_num()] = count;
#pragma omp barrier
#pragma omp single
    total = CarriesFromSums(carries);
    std::size_t slot = carries[omp_get_thread_num()];
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      if (values[i] > limit) kept[slot++] = values[i];
    }
  }
  return total;
}
