// Refuses right programs: the contract leaves the order of the additions free. Of the other parts
// it fails always, or ends the program as if all were well.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "common/lab/testing/function.h"
#include "labs/pthreads_sum/sum.h"

namespace {

const lab::Function<decltype(SumPartial)> sum_partial{"SumPartial"};

TEST(SumPartialTest, LargeAndSmallFromLeftToRight) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(std::ldexp(1.1f, i * 37 % 80 - 40));
  double sum = 0;
  for (const float value : values) sum += value;
  EXPECT_EQ(sum_partial(values, 7), sum);
}

TEST(SumQueueTest, NoProgramIsRight) { FAIL() << "wrong"; }

TEST(SumManyTest, EveryProgramIsRight) { std::exit(0); }

}  // namespace
