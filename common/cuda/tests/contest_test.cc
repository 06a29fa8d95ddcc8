// Proves how benchmarks of device code are run, on the simulator or a GPU.

#include "common/cuda/contest.h"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"

namespace {

using lab::Contender;
using lab::DeviceArray;
using lab::StreamTask;

constexpr int kAllRounds = lab::kContestWarmUp + lab::kContestRounds;

void Nothing() {}
bool Right() { return true; }

TEST(ContestTest, PoisonsBeforeEachRunAndChecksAfterIt) {
  std::string order;
  const auto note = [&order](const char* what) { return [&order, what] { order += what; }; };
  const auto check = [&order] {
    order += "? ";
    return true;
  };
  std::vector<Contender> contenders{{"a", 1, note("a"), check}, {"b", 1, note("b"), check}};
  EXPECT_TRUE(lab::RunContest(contenders, note("!")));
  std::string want;
  for (int round = 0; round < kAllRounds; ++round) want += "!a? !b? ";
  EXPECT_EQ(order, want);
}

TEST(ContestTest, KeepsTheTimesOfAllRoundsButThoseOfTheWarmUp) {
  std::vector<Contender> contenders{{"a", 1, Nothing, Right}};
  EXPECT_TRUE(lab::RunContest(contenders, Nothing));
  EXPECT_EQ(contenders[0].milliseconds.size(), static_cast<std::size_t>(lab::kContestRounds));
}

TEST(ContestTest, EndsAtTheFirstWrongResultAndNamesIt) {
  int runs = 0;
  std::vector<Contender> contenders{{"good", 1, Nothing, Right},
                                    {"bad", 1, [&runs] { ++runs; }, [&runs] { return runs < 5; }}};
  testing::internal::CaptureStderr();
  EXPECT_FALSE(lab::RunContest(contenders, Nothing));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "error: wrong result: bad\n");
  EXPECT_EQ(runs, 5);
}

TEST(ContestTest, TellsRatesInThousandsOfMillionsASecond) {
  const Contender contender{"a", 6e6, Nothing, Right, {5, 2, 3}};
  EXPECT_DOUBLE_EQ(contender.Median(), 3);
  EXPECT_DOUBLE_EQ(contender.Rate(), 2);
}

TEST(ContestTest, TimesWhatTheDeviceDoesAndNotHowLongTheCallTakes) {
  const DeviceArray<char> array(std::size_t{1} << 24);
  std::vector<Contender> contenders{{"nothing", 1, Nothing, Right},
                                    {"16 MiB", 1, [&array] { array.Fill(1); }, Right}};
  EXPECT_TRUE(lab::RunContest(contenders, Nothing));
  EXPECT_GT(contenders[1].Median(), contenders[0].Median());
}

TEST(SideBySideTest, GivesTwoStreamsThatAreNotTheDefaultOne) {
  std::set<cudaStream_t> streams;
  const StreamTask task{Nothing, [&streams](cudaStream_t stream) { streams.insert(stream); },
                        Right};
  EXPECT_TRUE(lab::RunSideBySide("a", task, task, 3));
  EXPECT_EQ(streams.size(), 2u);
  EXPECT_EQ(streams.count(nullptr), 0u);
}

TEST(SideBySideTest, PoisonsBothBeforeEachRoundAndChecksBothAfterIt) {
  const DeviceArray<int> one(1);
  const DeviceArray<int> other(1);
  // Right that many times.
  const auto task = [](const DeviceArray<int>& array, int times) {
    return StreamTask{[&array] { array.Fill(0); },
                      [&array](cudaStream_t stream) {
                        const int byte = array.First() == 0 ? 1 : 2;
                        CUDA_CHECK(cudaMemsetAsync(array.data(), byte, sizeof(int), stream));
                      },
                      [&array, times, checks = 0]() mutable {
                        return array.First() == 0x01010101 && ++checks <= times;
                      }};
  };
  EXPECT_TRUE(lab::RunSideBySide("a", task(one, 9), task(other, 9), 9));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(lab::RunSideBySide("left", task(one, 8), task(other, 9), 9));
  EXPECT_FALSE(lab::RunSideBySide("right", task(one, 9), task(other, 8), 9));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "error: wrong result side by side: left\n"
            "error: wrong result side by side: right\n");
}

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

TEST(MachineTest, NamesTheDeviceTheRuntimeAndTheDay) {
  const std::string machine = lab::Machine();
  cudaDeviceProp device;
  ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
  EXPECT_EQ(machine.rfind(std::string(device.name) + ", CUDA runtime ", 0), 0u) << machine;
  const std::regex rest(".*, CUDA runtime [0-9]+\\.[0-9], [0-9]{4}-[0-9]{2}-[0-9]{2}");
  EXPECT_TRUE(std::regex_match(machine, rest)) << machine;
}

}  // namespace
