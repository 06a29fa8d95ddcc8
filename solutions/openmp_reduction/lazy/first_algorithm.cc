// Only clauses for single numbers: a pass for the minimum, one for its place, one for each bin.

#include <algorithm>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

// The first place of `value` in `values`, or how many values there are.
std::size_t FirstPlace(std::span<const float> values, float value) {
  std::size_t first = values.size();
#pragma omp parallel for reduction(min : first)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == value) first = std::min(first, i);
  }
  return first;
}

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  float smallest = std::numeric_limits<float>::max();
#pragma omp parallel for reduction(min : smallest)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < smallest) smallest = values[i];
  }
  const std::size_t first = FirstPlace(values, smallest);
  if (first < values.size()) return {smallest, first};
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return {kInfinity, FirstPlace(values, kInfinity)};  // no value is finite
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  for (std::size_t group = 0; group < kLetterGroups; ++group) {
    std::uint32_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool letter = text[i] >= 'a' && text[i] <= 'z';
      count += letter && static_cast<std::size_t>(text[i] - 'a') / 4 == group;
    }
    bins[group] = count;
  }
}
