#include "common/timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lab {
namespace {

// Largest k such that at most k - 1 heads in n throws of a fair coin have a probability of at most
// `tail`; 0 if there is none. Then [k-th smallest, k-th largest] holds the median.
std::size_t Rank(std::size_t n, double tail) {
  double log_term = -static_cast<double>(n) * std::log(2.0);  // log P(0 heads)
  double cumulative = 0;
  std::size_t k = 0;
  while (k <= n) {
    cumulative += std::exp(log_term);
    if (cumulative > tail) break;
    ++k;
    log_term += std::log(static_cast<double>(n - k + 1)) - std::log(static_cast<double>(k));
  }
  return k;
}

}  // namespace

double Median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  if (copy.size() % 2 == 1) return *middle;
  return (*std::max_element(copy.begin(), middle) + *middle) / 2;
}

std::size_t SamplesForMedianInterval(double confidence) {
  return static_cast<std::size_t>(std::ceil(1 - std::log2(1 - confidence)));
}

Interval MedianInterval(std::span<const double> samples, double confidence) {
  const std::size_t rank = Rank(samples.size(), (1 - confidence) / 2);
  if (rank == 0) return {0, std::numeric_limits<double>::infinity()};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return {sorted[rank - 1], sorted[sorted.size() - rank]};
}

}  // namespace lab
