// On the simulator or a GPU.

#include "common/benchmark/device.h"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "common/cuda/device_array.h"

namespace {

using lab::DeviceArray;

TEST(DeviceTest, TimesWhatTheDeviceDoesAndNotHowLongTheCallTakes) {
  const DeviceArray<char> array(std::size_t{1} << 24);
  const auto right = [] { return true; };
  testing::internal::CaptureStdout();
  EXPECT_TRUE(lab::CompareOnDevice(
      "job", {{"nothing", 1, [] {}, right}, {"16 MiB", 1, [&array] { array.Fill(1); }, right}},
      [] {}));
  const std::string table = testing::internal::GetCapturedStdout();
  std::smatch ratio;
  ASSERT_TRUE(std::regex_search(table, ratio, std::regex("16 MiB .* ([0-9.]+) \\|\n"))) << table;
  EXPECT_LT(std::stod(ratio[1]), 1);
}

TEST(DeviceTest, CopiesFromDeviceToDevice) {
  const DeviceArray<int> from(std::vector<int>{4, -5, 6});
  const DeviceArray<int> to(3);
  lab::DeviceCopy(to.data(), from.data(), from.bytes(), [] { return true; }).run();
  EXPECT_EQ(to.OnHost(), from.OnHost());
}

TEST(DeviceTest, RunsTheSizesOnTheCommandLineOrTheUsualOnes) {
  std::vector<std::size_t> seen;
  const auto run = [&seen](std::size_t size) {
    seen.push_back(size);
    return size < 9;
  };
  const lab::Sizes sizes{"items", 2, 10, {3, 4}};
  char name[] = "bench", nine[] = "9", two[] = "2", one[] = "1";
  char* arguments[] = {name, two, nine, two, nullptr};
  EXPECT_EQ(lab::RunSizes(1, arguments, sizes, run), 0);
  EXPECT_EQ(lab::RunSizes(4, arguments, sizes, run), 1);
  EXPECT_EQ(seen, (std::vector<std::size_t>{3, 4, 2, 9}));
  char* wrong[] = {name, one, nullptr};
  testing::internal::CaptureStderr();
  EXPECT_EQ(lab::RunSizes(2, wrong, sizes, run), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "usage: bench [items, 2 to 10]...\n");
}

TEST(DeviceTest, NamesTheDeviceTheRuntimeAndTheDay) {
  const std::string machine = lab::Machine();
  cudaDeviceProp device;
  ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
  EXPECT_EQ(machine.rfind(std::string(device.name) + ", CUDA runtime ", 0), 0u) << machine;
  const std::regex rest(".*, CUDA runtime [0-9]+\\.[0-9], [0-9]{4}-[0-9]{2}-[0-9]{2}");
  EXPECT_TRUE(std::regex_match(machine, rest)) << machine;
}

}  // namespace
