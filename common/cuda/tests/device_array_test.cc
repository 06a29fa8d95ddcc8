#include "common/cuda/device_array.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using lab::DeviceArray;

TEST(DeviceArrayTest, HoldsWhatItIsMadeOf) {
  const std::vector<int> values{4, -5, 6};
  const DeviceArray<int> array(values);
  EXPECT_EQ(array.size(), 3u);
  EXPECT_EQ(array.bytes(), 12u);
  EXPECT_EQ(array.end(), array.data() + 3);
  EXPECT_EQ(array.span().data(), array.data());
  EXPECT_EQ(array.OnHost(), values);
  EXPECT_EQ(array.First(), 4);
}

TEST(DeviceArrayTest, FillsAllBytes) {
  const DeviceArray<unsigned> array(5);
  array.Fill(0xa5);
  EXPECT_EQ(array.OnHost(), std::vector<unsigned>(5, 0xa5a5a5a5u));
}

TEST(DeviceArrayTest, MayBeEmpty) {
  const DeviceArray<int> array(0);
  array.Fill(0xa5);
  EXPECT_EQ(array.OnHost(), std::vector<int>());
}

}  // namespace
