// Right: the threads combine their private results pairwise, in log2 p steps.

#include <omp.h>

#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

// Combines parts[0 .. number of threads) into parts[0]. Called by every thread of a region, once
// its own part is written.
template <typename T, typename Combine>
void CombineAsTree(std::vector<T>& parts, const Combine& combine) {
  const int thread = omp_get_thread_num();
  const int threads = omp_get_num_threads();
  for (int stride = 1; stride < threads; stride *= 2) {
#pragma omp barrier
    if (thread % (2 * stride) == 0 && thread + stride < threads) {
      parts[thread] = combine(parts[thread], parts[thread + stride]);
    }
  }
}

using Counts = std::array<std::uint32_t, kLetterGroups>;

Counts Add(Counts a, const Counts& b) {
  for (std::size_t g = 0; g < kLetterGroups; ++g) a[g] += b[g];
  return a;
}

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  std::vector<double> sums(omp_get_max_threads());
#pragma omp parallel
  {
    double sum = 0;
#pragma omp for nowait schedule(static)
    for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
    sums[omp_get_thread_num()] = sum;
    CombineAsTree(sums, std::plus<>());
  }
  return sums[0];
}

MinLocation FirstMinimum(std::span<const float> values) {
  std::vector<MinLocation> bests(omp_get_max_threads());
#pragma omp parallel
  {
    MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp for nowait schedule(static)
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (Before({values[i], i}, best)) best = {values[i], i};
    }
    bests[omp_get_thread_num()] = best;
    CombineAsTree(bests,
                  [](const MinLocation& a, const MinLocation& b) { return Before(b, a) ? b : a; });
  }
  return bests[0];
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::vector<Counts> counts(omp_get_max_threads());
#pragma omp parallel
  {
    Counts mine = {};
#pragma omp for nowait schedule(static)
    for (std::size_t i = 0; i < text.size(); ++i) {
      if ('a' <= text[i] && text[i] <= 'z') ++mine[(text[i] - 'a') / 4];
    }
    counts[omp_get_thread_num()] = mine;
    CombineAsTree(counts, Add);
  }
  for (std::size_t g = 0; g < kLetterGroups; ++g) bins[g] = counts[0][g];
}
