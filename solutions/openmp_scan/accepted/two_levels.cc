// Right: tiles of 1000 elements; their sums are scanned by the same function, as often as it takes
// until one tile is left.

#include <algorithm>
#include <functional>
#include <vector>

#include "labs/openmp_scan/scan.h"

namespace {

constexpr std::size_t kTile = 1000;

// Calls put(i, term(0) + ... + term(i - 1)) for every i below n; returns the sum of all terms.
template <typename T, typename Term, typename Put>
T ScanTiles(std::size_t n, const Term& term, const Put& put) {
  const std::size_t tiles = (n + kTile - 1) / kTile;
  std::vector<T> sums(tiles);
  std::vector<T> carries(tiles);
  T total = 0;
  if (tiles > 1) {
#pragma omp parallel for
    for (std::size_t t = 0; t < tiles; ++t) {
      T sum = 0;
      for (std::size_t i = t * kTile; i < std::min(n, (t + 1) * kTile); ++i) sum += term(i);
      sums[t] = sum;
    }
    const auto sum = [&](std::size_t t) { return sums[t]; };
    const std::function<void(std::size_t, T)> keep = [&](std::size_t t, T carry) {
      carries[t] = carry;
    };
    total = ScanTiles<T, std::function<T(std::size_t)>, std::function<void(std::size_t, T)>>(
        tiles, sum, keep);
  }
#pragma omp parallel for
  for (std::size_t t = 0; t < tiles; ++t) {
    T before = carries[t];
    for (std::size_t i = t * kTile; i < std::min(n, (t + 1) * kTile); ++i) {
      put(i, before);
      before += term(i);
    }
    if (tiles == 1) total = before;
  }
  return total;
}

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  const auto value = [&](std::size_t i) { return values[i]; };
  ScanTiles<std::int64_t>(values.size(), value, [&](std::size_t i, std::int64_t before) {
    sums[i] = before + values[i];
  });
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  const auto count = [&](std::size_t i) { return counts[i]; };
  ScanTiles<std::uint64_t>(counts.size(), count,
                           [&](std::size_t i, std::uint64_t before) { starts[i] = before; });
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  const auto is_kept = [&](std::size_t i) { return values[i] > limit; };
  return ScanTiles<std::size_t>(values.size(), is_kept, [&](std::size_t i, std::size_t slot) {
    if (values[i] > limit) kept[slot] = values[i];
  });
}
