#pragma once

#include <cstddef>
#include <span>

namespace lab {

// A range that holds the true value with some confidence; low <= high.
struct Interval {
  double low;
  double high;
};

// Middle value, or the mean of the two in the middle. `values` must not be empty. O(n).
double Median(std::span<const double> values);

// Fewest samples for which MedianInterval is bounded, e.g. 6 for 0.95. 0 < confidence < 1.
std::size_t SamplesForMedianInterval(double confidence);

// Confidence interval of the population's median from order statistics: no assumption on the
// distribution but that samples are independent. So it holds for timings too, where noise is
// one-sided and has long tails: fewer than half of the samples, whatever their values, cannot move
// the median beyond the others'.
// The interval is [0, infinity] when there are too few samples. Samples are positive. O(n log n).
//
// Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, section 7.1.
Interval MedianInterval(std::span<const double> samples, double confidence);

}  // namespace lab
