// Right: all threads scan the carries, in steps of 1, 2, 4, ... tiles, between two buffers (Hillis
// and Steele, "Data parallel algorithms", 1986).

#include <omp.h>

#include <algorithm>
#include <utility>
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

template <typename T>
class Carries {
 public:
  // The sum of `own` of this thread and of all threads with a smaller number. Called once, by every
  // thread of a region.
  T UpToMine(T own) {
    const int thread = omp_get_thread_num();
    std::vector<T>* from = &buffers_[0];
    std::vector<T>* to = &buffers_[1];
    (*from)[thread] = own;
    for (int step = 1; step < omp_get_num_threads(); step *= 2) {
#pragma omp barrier
      (*to)[thread] = (*from)[thread] + (thread >= step ? (*from)[thread - step] : 0);
      std::swap(from, to);
    }
    return (*from)[thread];
  }

 private:
  std::vector<T> buffers_[2] = {std::vector<T>(omp_get_max_threads()),
                                std::vector<T>(omp_get_max_threads())};
};

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  Carries<std::int64_t> carries;
#pragma omp parallel
  {
    const Tile tile = TileOf(values.size(), omp_get_thread_num(), omp_get_num_threads());
    std::int64_t own = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) own += values[i];
    std::int64_t sum = carries.UpToMine(own) - own;
    for (std::size_t i = tile.begin; i < tile.end; ++i) sums[i] = sum += values[i];
  }
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  Carries<std::uint64_t> carries;
#pragma omp parallel
  {
    const Tile tile = TileOf(counts.size(), omp_get_thread_num(), omp_get_num_threads());
    std::uint64_t own = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) own += counts[i];
    std::uint64_t sum = carries.UpToMine(own) - own;
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      starts[i] = sum;
      sum += counts[i];
    }
  }
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  Carries<std::size_t> carries;
  std::size_t total = 0;
#pragma omp parallel
  {
    const Tile tile = TileOf(values.size(), omp_get_thread_num(), omp_get_num_threads());
    std::size_t own = 0;
    for (std::size_t i = tile.begin; i < tile.end; ++i) own += values[i] > limit;
    const std::size_t end = carries.UpToMine(own);
    std::size_t slot = end - own;
    for (std::size_t i = tile.begin; slot < end; ++i) {
      if (values[i] > limit) kept[slot++] = values[i];
    }
    if (omp_get_thread_num() == omp_get_num_threads() - 1) total = end;
  }
  return total;
}
