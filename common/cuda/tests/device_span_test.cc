// Proves what a contract with device spans means to a test, without CUDA: the checker has none.

#include "common/cuda/device_span.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "common/lab/testing/function.h"

void Scale(DeviceSpan<const float> in, DeviceSpan<float> out, cudaStream_t stream, float factor);

namespace {

std::vector<lab::Argument> seen;

}  // namespace

void lab::Invoke(const Call& call) { seen.assign(call.arguments.begin(), call.arguments.end()); }

namespace {

TEST(DeviceSpanTest, KnowsItsExtent) {
  std::array<double, 5> elements{};
  const DeviceSpan<double> span(elements.data(), 5);
  EXPECT_EQ(span.data(), elements.data());
  EXPECT_EQ(span.size(), 5u);
  EXPECT_EQ(span.size_bytes(), 40u);
  EXPECT_FALSE(span.empty());
  EXPECT_EQ(span.subspan(2, 3).data(), elements.data() + 2);
  EXPECT_EQ(span.subspan(2, 3).size(), 3u);
}

TEST(DeviceSpanTest, IsEmptyByDefault) {
  EXPECT_TRUE(DeviceSpan<int>().empty());
  EXPECT_EQ(DeviceSpan<int>().data(), nullptr);
}

TEST(DeviceSpanTest, BecomesAnInputButNeverAnOutput) {
  EXPECT_TRUE((std::is_convertible_v<DeviceSpan<int>, DeviceSpan<const int>>));
  EXPECT_FALSE((std::is_convertible_v<DeviceSpan<const int>, DeviceSpan<int>>));
  EXPECT_FALSE((std::is_convertible_v<DeviceSpan<int>, DeviceSpan<const long>>));
  EXPECT_TRUE(std::is_trivially_copyable_v<DeviceSpan<int>>);
}

TEST(DeviceSpanTest, IsPassedAsAHostSpanAndTheStreamNotAtAll) {
  const std::vector<float> in(3);
  std::vector<float> out(4);
  lab::Function<decltype(Scale)>{"Scale"}(in, out, 2.0f);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].kind, lab::Argument::Kind::kInput);
  EXPECT_EQ(seen[0].data, in.data());
  EXPECT_EQ(seen[1].kind, lab::Argument::Kind::kInOut);
  EXPECT_EQ(seen[1].count, 4u);
  EXPECT_EQ(seen[2].kind, lab::Argument::Kind::kScalar);
}

TEST(DeviceSpanTest, HasASignatureApartFromHostSpans) {
  EXPECT_NE((lab::kSignature<void(DeviceSpan<int>, cudaStream_t)>),
            (lab::kSignature<void(std::span<int>, cudaStream_t)>));
  EXPECT_NE((lab::kSignature<void(DeviceSpan<int>, cudaStream_t)>),
            (lab::kSignature<void(DeviceSpan<int>)>));
}

}  // namespace
