// Shows both faults.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "common/lab/testing/function.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(ScaleAndBlur)> scale_and_blur{"ScaleAndBlur"};

TEST(Fault1, OneElement) {
  std::vector<float> c(1);
  vec_add(std::vector<float>{1}, std::vector<float>{2}, c);
  EXPECT_EQ(c, std::vector<float>{3});
}

TEST(Fault2, OneBrightPixel) {
  std::vector<std::uint8_t> scaled(1);
  std::vector<std::uint8_t> blurred(1);
  scale_and_blur(std::vector<std::uint8_t>{200}, scaled, blurred, 1, 1, 200, 0);
  EXPECT_EQ(scaled, std::vector<std::uint8_t>{255});
}

}  // namespace
