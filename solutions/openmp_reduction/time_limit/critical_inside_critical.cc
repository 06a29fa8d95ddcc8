// Wrong: a function with a critical section is called from inside the unnamed critical section.

#include <algorithm>
#include <iterator>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

void Improve(MinLocation& best, const MinLocation& candidate) {
#pragma omp critical
  if (Before(candidate, best)) best = candidate;
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
    MinLocation best = first;
#pragma omp for
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (Before({values[i], i}, best)) best = {values[i], i};
    }
#pragma omp critical
    Improve(first, best);
  }
  return first;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::uint32_t counts[kLetterGroups] = {};
#pragma omp parallel for reduction(+ : counts[:kLetterGroups])
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
  }
  std::copy(std::begin(counts), std::end(counts), bins.begin());
}
