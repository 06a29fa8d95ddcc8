// All threads reduce, but each block under one lock.

#include <algorithm>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

constexpr std::size_t kBlock = 4096;

// Calls reduce(begin, end) for all blocks of n elements, each while its thread holds the one lock.
template <typename Reduce>
void RunLocked(std::size_t n, const Reduce& reduce) {
#pragma omp parallel for schedule(dynamic)
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
#pragma omp critical
    reduce(begin, std::min(begin + kBlock, n));
  }
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
  double sum = 0;
  RunLocked(a.size(), [&](std::size_t begin, std::size_t end) {
    sum += Dot(a.subspan(begin, end - begin), b.subspan(begin, end - begin));
  });
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  MinLocation best = NoMinimum(values.size());
  RunLocked(values.size(), [&](std::size_t begin, std::size_t end) {
    best = Minimum(values.subspan(begin, end - begin), begin, best);
  });
  return best;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::ranges::fill(bins, 0);
  RunLocked(text.size(), [&](std::size_t begin, std::size_t end) {
    CountLetters(text.subspan(begin, end - begin), bins);
  });
}
