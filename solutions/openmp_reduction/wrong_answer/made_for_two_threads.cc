// Wrong: slots for eight threads, and the results of two: right where there are two processors.

#include <omp.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "labs/openmp_reduction/reduction.h"

namespace {

constexpr std::size_t kCacheLine = 64;

struct alignas(kCacheLine) Sum {
  double value = 0;
};

// Whether `a` is to be preferred to `b`: smaller, or equal and earlier. False if `a` is NaN.
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
  std::vector<Sum> sums(8);
#pragma omp parallel
  {
    double sum = 0;
#pragma omp for
    for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
    sums[omp_get_thread_num()].value = sum;
  }
  double total = 0;
  for (int t = 0; t < 2; ++t) total += sums[t].value;
  return total;
}

MinLocation FirstMinimum(std::span<const float> values) {
  // No value comes after this one: it is the answer if there is no minimum.
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
  std::ranges::copy(counts, bins.begin());
}
