// Wrong: serial loops, and a parallel region in a function that nobody calls.

#include <algorithm>
#include <iterator>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const MinLocation candidate{values[i], i};
    if (Before(candidate, best)) best = candidate;
  }
  return best;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::uint32_t counts[kLetterGroups] = {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
  }
  std::copy(std::begin(counts), std::end(counts), bins.begin());
}

void EnterDecoy() {
#pragma omp parallel
  { [[maybe_unused]] volatile int nothing = 0; }
}
