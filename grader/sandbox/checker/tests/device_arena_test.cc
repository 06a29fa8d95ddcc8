#include "grader/sandbox/checker/device_arena.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "grader/sandbox/gpu/tests/fake_driver.h"
#include "gtest/gtest.h"

namespace grader::checker {
namespace {

// Copy(in[n], out[n], count[0 or 1]) with device spans, and what a worker would see of it.
class DeviceArenaTest : public testing::TestWithParam<std::size_t> {
 protected:
  DeviceArenaTest() {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      arguments_[i].device_span = true;
      const bool input = arguments_[i].kind == lab::Argument::Kind::kInput;
      request_.arguments[i] = {input ? wire::ArgumentKind::kInput : wire::ArgumentKind::kInOut,
                               4,
                               4,
                               1,
                               lab::Argument::kEveryRank,
                               0,
                               arguments_[i].count};
    }
    request_.argument_count = static_cast<std::uint32_t>(arguments_.size());
    arena_.Lay(call_, request_);
    arena_.Fill(call_, request_);
  }

  std::uint32_t* At(std::size_t argument) {
    MemoryHandle handle;
    std::copy_n(request_.device.handle, handle.size(), handle.begin());
    const DeviceAddress begin = Driver::Get().Open(handle);
    return reinterpret_cast<std::uint32_t*>(begin + request_.arguments[argument].offset);
  }

  std::size_t n_ = GetParam();
  std::vector<std::uint32_t> in_ = std::vector<std::uint32_t>(n_, 7);
  std::vector<std::uint32_t> out_ = std::vector<std::uint32_t>(n_, 1);
  std::vector<std::uint32_t> count_ = std::vector<std::uint32_t>(1, 5);
  std::array<lab::Argument, 3> arguments_{
      {{lab::Argument::Kind::kInput, 4, 4, in_.data(), in_.size()},
       {lab::Argument::Kind::kInOut, 4, 4, out_.data(), out_.size()},
       {lab::Argument::Kind::kInOut, 4, 4, count_.data(), count_.size()}}};
  lab::Call call_{"Copy", 17, arguments_, nullptr, 0};
  wire::Request request_{};
  FakeDriver fake_;
  DeviceArena arena_;
};

// In elements: none, some, and one less than, exactly and one more than what 256 bytes hold.
INSTANTIATE_TEST_SUITE_P(Sizes, DeviceArenaTest, testing::Values(0, 1, 63, 64, 65, 1001));

TEST_P(DeviceArenaTest, ContentsTravelBothWays) {
  EXPECT_EQ(std::vector<std::uint32_t>(At(0), At(0) + n_), in_);
  EXPECT_EQ(std::vector<std::uint32_t>(At(1), At(1) + n_), out_);
  EXPECT_EQ(*At(2), 5u);
  for (std::size_t i = 0; i < n_; ++i) At(1)[i] = static_cast<std::uint32_t>(100 + i);
  *At(2) = 42;
  arena_.Snapshot();
  ASSERT_FALSE(arena_.Damaged(request_).has_value());
  arena_.CopyOut(call_, request_);
  for (std::size_t i = 0; i < n_; ++i) EXPECT_EQ(out_[i], 100 + i);
  EXPECT_EQ(count_[0], 42u);
}

TEST_P(DeviceArenaTest, WhatIsWrittenAfterTheSnapshotIsLost) {
  *At(2) = 6;
  arena_.Snapshot();
  *At(2) = 42;
  ASSERT_FALSE(arena_.Damaged(request_).has_value());
  arena_.CopyOut(call_, request_);
  EXPECT_EQ(count_[0], 6u);
}

TEST_P(DeviceArenaTest, NoticesAByteBeforeAndBehindEachOutput) {
  for (const std::size_t argument : {std::size_t{1}, std::size_t{2}}) {
    for (const bool before : {true, false}) {
      arena_.Fill(call_, request_);
      auto* const first = reinterpret_cast<unsigned char*>(At(argument));
      (before ? first[-1] : first[4 * arguments_[argument].count]) = 0;
      arena_.Snapshot();
      const std::optional<Damage> damage = arena_.Damaged(request_);
      ASSERT_TRUE(damage.has_value())
          << "argument " << argument << (before ? " before" : " behind");
      EXPECT_EQ(damage->argument, argument);
      EXPECT_EQ(damage->before, before);
    }
  }
}

TEST_P(DeviceArenaTest, TakesALargerCallAfterASmallOne) {
  std::vector<std::uint32_t> large(100'000, 3);
  arguments_[1].data = large.data();
  arguments_[1].count = request_.arguments[1].count = large.size();
  arena_.Lay(call_, request_);
  arena_.Fill(call_, request_);
  At(1)[99'999] = 4;
  arena_.Snapshot();
  ASSERT_FALSE(arena_.Damaged(request_).has_value());
  arena_.CopyOut(call_, request_);
  EXPECT_EQ(large[99'999], 4u);
  EXPECT_EQ(large[0], 3u);
}

// wire::Op::kTouch writes to it, and a lab may have host functions only.
TEST(DeviceArenaWithoutSpansTest, HasMemoryAllTheSame) {
  const FakeDriver fake;
  DeviceArena arena;
  const lab::Call call{"Host", 0, {}, nullptr, 0};
  wire::Request request{};
  arena.Lay(call, request);
  arena.Fill(call, request);
  arena.WarmUp();
  arena.Snapshot();
  EXPECT_FALSE(arena.Damaged(request).has_value());
  EXPECT_GT(request.device.bytes, 0u);
  MemoryHandle handle;
  std::copy_n(request.device.handle, handle.size(), handle.begin());
  const DeviceAddress begin = Driver::Get().Open(handle);
  EXPECT_NO_THROW(Driver::Get().Fill(begin, wire::kDeviceCanary, 1));
}

TEST_P(DeviceArenaTest, SaysThatTheDeviceIsFull) {
  request_.arguments[1].count = std::uint64_t{1} << 32;
  EXPECT_THROW(arena_.Lay(call_, request_), GpuError);
}

TEST(DriverTest, KnowsItsNameAndItsPeak) {
  const FakeDriver fake;
  EXPECT_EQ(Driver::Get().Name(), "made of host memory");
  // 10 multiprocessors, 128 cores, two operations, 1.5 GHz.
  EXPECT_DOUBLE_EQ(Driver::Get().PeakOperationsPerSecond(), 10 * 128 * 2 * 1.5e9);
}

}  // namespace
}  // namespace grader::checker
