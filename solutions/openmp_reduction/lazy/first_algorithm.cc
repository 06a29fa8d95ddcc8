// Only clauses for single numbers: a pass for the minimum, one for its place, one for each bin.

#include <algorithm>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

double DotProduct(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  float smallest = std::numeric_limits<float>::infinity();
#pragma omp parallel for reduction(min : smallest)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < smallest) smallest = values[i];
  }
  std::size_t index = values.size();
#pragma omp parallel for reduction(min : index)
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == smallest) index = std::min(index, i);
  }
  return {smallest, index};
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
