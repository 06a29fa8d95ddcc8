// Shows both faults.

#include <gtest/gtest.h>

#include <vector>

#include "common/lab/testing/function.h"
#include "labs/pthreads_sum/sum.h"

namespace {

const lab::Function<decltype(SumPartial)> sum_partial{"SumPartial"};
const lab::Function<decltype(SumQueue)> sum_queue{"SumQueue"};

TEST(Fault1, OneValueForOneThread) { EXPECT_EQ(sum_partial(std::vector<float>{1}, 1), 1); }

TEST(Fault2, OneValueInAChunkOfTwo) { EXPECT_EQ(sum_queue(std::vector<float>{1}, 1, 2), 1); }

}  // namespace
