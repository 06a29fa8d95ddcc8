// Wrong: right sums, but no thread is ever started.

#include "labs/pthreads_sum/sum.h"

namespace {

double SumSerially(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

}  // namespace

double SumPartial(std::span<const float> values, int) { return SumSerially(values); }

double SumQueue(std::span<const float> values, int, std::size_t) { return SumSerially(values); }
