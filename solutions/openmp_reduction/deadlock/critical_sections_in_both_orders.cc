// Wrong: even threads add to the bins, and inside count letters; odd threads the other way round.

#include <omp.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <numeric>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  MinLocation first{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp parallel
  {
    MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp for
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (Before({values[i], i}, best)) best = {values[i], i};
    }
#pragma omp critical
    if (Before(best, first)) first = best;
  }
  return first;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::ranges::fill(bins, 0);
  [[maybe_unused]] std::size_t letters = 0;
#pragma omp parallel
  {
    std::uint32_t counts[kLetterGroups] = {};
#pragma omp for
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
    }
    if (omp_get_thread_num() % 2 == 0) {
#pragma omp critical(bins)
      for (int b = 0; b < kLetterGroups; ++b) {
        bins[b] += counts[b];
#pragma omp critical(letters)
        letters += counts[b];
      }
    } else {
#pragma omp critical(letters)
      for (int b = 0; b < kLetterGroups; ++b) {
        letters += counts[b];
#pragma omp critical(bins)
        bins[b] += counts[b];
      }
    }
  }
  assert(letters == std::accumulate(bins.begin(), bins.end(), std::size_t{0}));
}
