// Does not compile.

#include <gtest/gtest.h>

TEST(SumPartialTest, Adds) { EXPECT_EQ(sum_partial(12), 78); }
