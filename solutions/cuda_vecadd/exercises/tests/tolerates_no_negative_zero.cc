// Refuses right programs: by IEEE 754 the sum of two negative zeros is one.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/lab/testing/function.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};

TEST(VecAddTest, NoSumOfZerosIsNegative) {
  std::vector<float> c(1);
  vec_add(std::vector<float>{-0.0f}, std::vector<float>{-0.0f}, c);
  EXPECT_FALSE(std::signbit(c[0]));
}

}  // namespace
