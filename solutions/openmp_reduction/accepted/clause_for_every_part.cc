// Right: each part is a reduction clause, with a declared operation for the minimum.

#include <algorithm>
#include <iterator>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

// The identity: every element comes before it. Not omp_orig: a thread that starts late would read
// it while others already combine their results into it.
MinLocation NoElement() {
  return {std::numeric_limits<float>::infinity(), std::numeric_limits<std::size_t>::max()};
}

#pragma omp declare reduction(first_minimum:MinLocation                               \
                              : omp_out = Before(omp_in, omp_out) ? omp_in : omp_out) \
    initializer(omp_priv = NoElement())

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
  MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp parallel for reduction(first_minimum : best)
  for (std::size_t i = 0; i < values.size(); ++i) {
    const MinLocation candidate{values[i], i};
    if (Before(candidate, best)) best = candidate;
  }
  return best;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::uint32_t counts[kLetterGroups] = {};
#pragma omp parallel for reduction(+ : counts[:kLetterGroups])
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
  }
  std::copy(std::begin(counts), std::end(counts), bins.begin());
}
