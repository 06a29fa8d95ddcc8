// Right: private results, combined in a critical section that each thread enters once.

#include <algorithm>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  double total = 0;
#pragma omp parallel
  {
    double sum = 0;
#pragma omp for nowait
    for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
#pragma omp atomic
    total += sum;
  }
  return total;
}

MinLocation FirstMinimum(std::span<const float> values) {
  MinLocation first{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp parallel
  {
    MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp for nowait
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (Before({values[i], i}, best)) best = {values[i], i};
    }
#pragma omp critical(first_minimum)
    if (Before(best, first)) first = best;
  }
  return first;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::fill(bins.begin(), bins.end(), 0);
#pragma omp parallel
  {
    std::uint32_t counts[kLetterGroups] = {};
#pragma omp for nowait
    for (std::size_t i = 0; i < text.size(); ++i) {
      if ('a' <= text[i] && text[i] <= 'z') ++counts[(text[i] - 'a') >> 2];
    }
#pragma omp critical(letters)
    for (std::size_t g = 0; g < kLetterGroups; ++g) bins[g] += counts[g];
  }
}
