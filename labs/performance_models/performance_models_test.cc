// The public test: a few simple cases for each function, among them all of README.md. The grader
// tests more; performance_models.h says what.

#include "labs/performance_models/performance_models.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/lab/function.h"
#include "labs/performance_models/answers.h"

namespace performance_models {
namespace {

using Times = std::vector<std::int64_t>;
using Extents = std::vector<std::int64_t>;
using Lengths = std::vector<std::int32_t>;
using Dependences = std::vector<Dependence>;

const lab::Function<decltype(AmdahlSpeedup)> amdahl_speedup{"AmdahlSpeedup"};
const lab::Function<decltype(GustafsonSpeedup)> gustafson_speedup{"GustafsonSpeedup"};
const lab::Function<decltype(MeasureTasks)> measure_tasks{"MeasureTasks"};
const lab::Function<decltype(BoundTime)> bound_time{"BoundTime"};
const lab::Function<decltype(FitBlocks)> fit_blocks{"FitBlocks"};
const lab::Function<decltype(CountSectors)> count_sectors{"CountSectors"};
const lab::Function<decltype(CountWavefronts)> count_wavefronts{"CountWavefronts"};
const lab::Function<decltype(RateKernel)> rate_kernel{"RateKernel"};
const lab::Function<decltype(CompareFormats)> compare_formats{"CompareFormats"};
const lab::Function<decltype(ChooseHybridWidth)> choose_hybrid_width{"ChooseHybridWidth"};
const lab::Function<decltype(CountHalo)> count_halo{"CountHalo"};
const lab::Function<decltype(LargestTile)> largest_tile{"LargestTile"};

constexpr std::uint32_t kAllLanes = 0xFFFFFFFF;

// Lane i accesses element index(i), of that many bytes.
WarpAccess Access(std::uint32_t bytes, std::uint32_t active,
                  const std::function<std::uint64_t(std::uint64_t)>& index) {
  WarpAccess access{{}, active, bytes};
  for (std::uint64_t lane = 0; lane < kWarpLanes; ++lane) {
    access.address[lane] = index(lane) * bytes;
  }
  return access;
}

void ExpectSpeedup(std::optional<double> got, double want) {
  ASSERT_TRUE(got.has_value()) << "expected " << want << ", got no value";
  EXPECT_NEAR(*got, want, 1e-9 * want);
}

TEST(AmdahlSpeedupTest, TakesTheExampleOfTheHandout) {
  ExpectSpeedup(amdahl_speedup(0.25, 3), 2);
  ExpectSpeedup(amdahl_speedup(0.05, 1024), 1024 / (1 + 0.05 * 1023));
}

TEST(AmdahlSpeedupTest, IsOneForSerialCode) { ExpectSpeedup(amdahl_speedup(1, 64), 1); }

TEST(AmdahlSpeedupTest, HasNoValueForAnImpossibleQuestion) {
  EXPECT_FALSE(amdahl_speedup(0.5, 0).has_value());
  EXPECT_FALSE(amdahl_speedup(1.5, 4).has_value());
  EXPECT_FALSE(amdahl_speedup(std::nan(""), 4).has_value());
}

TEST(GustafsonSpeedupTest, TakesTheExampleOfTheHandout) {
  ExpectSpeedup(gustafson_speedup(0.25, 3), 2.5);
  ExpectSpeedup(gustafson_speedup(0.05, 1024), 972.85);
}

TEST(GustafsonSpeedupTest, HasNoValueForAnImpossibleQuestion) {
  EXPECT_FALSE(gustafson_speedup(-0.1, 4).has_value());
  EXPECT_FALSE(gustafson_speedup(0.5, -4).has_value());
}

TEST(MeasureTasksTest, CooksTheDinnerOfTheHandout) {
  const Times times{2, 9, 3, 4, 1};
  const Dependences order{{0, 3}, {1, 4}, {2, 3}, {3, 4}};
  EXPECT_EQ(Text(measure_tasks(times, order)), "work 19, span 10");
}

TEST(MeasureTasksTest, TakesNoTasks) {
  EXPECT_EQ(Text(measure_tasks(Times{}, Dependences{})), "work 0, span 0");
}

TEST(MeasureTasksTest, TakesALongChain) {
  const std::int32_t n = 50'000;
  Dependences chain;
  for (std::int32_t task = 1; task < n; ++task) chain.push_back({task, task - 1});
  EXPECT_EQ(Text(measure_tasks(Times(n, 2), chain)), "work 100000, span 100000");
}

TEST(MeasureTasksTest, HasNoValueForACycle) {
  EXPECT_EQ(Text(measure_tasks(Times{1, 1, 1}, Dependences{{0, 1}, {1, 2}, {2, 1}})), "no value");
}

TEST(BoundTimeTest, TakesTheExampleOfTheHandout) {
  EXPECT_EQ(Text(bound_time({20, 6}, 4)), "least 6, most 9");
  EXPECT_EQ(Text(bound_time({20, 6}, 3)), "least 7, most 10");
}

TEST(BoundTimeTest, HasNoValueForMoreSpanThanWork) {
  EXPECT_EQ(Text(bound_time({6, 7}, 3)), "no value");
}

TEST(FitBlocksTest, TakesTheExamplesOfTheHandout) {
  EXPECT_EQ(Text(fit_blocks(kH100, {256, 32, 0})), "8 blocks, 64 warps, limit threads");
  EXPECT_EQ(Text(fit_blocks(kH100, {256, 40, 0})), "6 blocks, 48 warps, limit registers");
  EXPECT_EQ(Text(fit_blocks(kH100, {96, 40, 0})), "16 blocks, 48 warps, limit registers");
  EXPECT_EQ(Text(fit_blocks(kH100, {32, 32, 0})), "32 blocks, 32 warps, limit blocks");
  EXPECT_EQ(Text(fit_blocks(kH100, {100, 32, 40000})), "5 blocks, 20 warps, limit shared memory");
}

TEST(FitBlocksTest, FitsNoBlockWithTooManyThreads) {
  EXPECT_EQ(Text(fit_blocks(kH100, {1025, 32, 0})), "0 blocks, 0 warps, limit threads");
}

TEST(FitBlocksTest, HasNoValueForNoThreads) {
  EXPECT_EQ(Text(fit_blocks(kH100, {0, 32, 0})), "no value");
}

TEST(CountSectorsTest, TakesTheExamplesOfTheHandout) {
  EXPECT_EQ(Text(count_sectors(Access(4, kAllLanes, [](auto lane) { return lane; }))), "4");
  EXPECT_EQ(Text(count_sectors(Access(4, kAllLanes, [](auto lane) { return lane + 1; }))), "5");
  EXPECT_EQ(Text(count_sectors(Access(4, kAllLanes, [](auto lane) { return 2 * lane; }))), "8");
  EXPECT_EQ(Text(count_sectors(Access(4, kAllLanes, [](auto) { return 7; }))), "1");
}

TEST(CountSectorsTest, LooksAtActiveLanesOnly) {
  EXPECT_EQ(Text(count_sectors(Access(8, 0x80000001, [](auto lane) { return lane; }))), "2");
  EXPECT_EQ(Text(count_sectors(Access(8, 0, [](auto lane) { return lane; }))), "0");
}

TEST(CountSectorsTest, HasNoValueForThreeBytes) {
  EXPECT_EQ(Text(count_sectors(Access(3, kAllLanes, [](auto lane) { return lane; }))), "no value");
}

TEST(CountWavefrontsTest, TakesTheExamplesOfTheHandout) {
  const auto cost = [](std::uint32_t bytes, std::uint64_t stride) {
    return Text(count_wavefronts(
        Access(bytes, kAllLanes, [=](std::uint64_t lane) { return stride * lane; })));
  };
  EXPECT_EQ(cost(4, 1), "1 wavefronts, 0 conflicts");
  EXPECT_EQ(cost(4, 2), "2 wavefronts, 1 conflicts");
  EXPECT_EQ(cost(4, 32), "32 wavefronts, 31 conflicts");
  EXPECT_EQ(cost(4, 33), "1 wavefronts, 0 conflicts");
  EXPECT_EQ(cost(4, 0), "1 wavefronts, 0 conflicts");
  EXPECT_EQ(cost(8, 1), "2 wavefronts, 0 conflicts");
  EXPECT_EQ(cost(8, 2), "4 wavefronts, 2 conflicts");
}

TEST(CountWavefrontsTest, AgreesWithAnH100) {
  // Measured there: stores of 8 bytes with stride 20, and of 16 bytes by 21 lanes in pairs.
  EXPECT_EQ(Text(count_wavefronts(Access(8, kAllLanes, [](auto lane) { return 20 * lane; }))),
            "8 wavefronts, 6 conflicts");
  const std::array<std::uint64_t, 16> places{31, 19, 36, 15, 59, 15, 41, 40,
                                             58, 34, 29, 27, 2,  33, 2,  26};
  EXPECT_EQ(Text(count_wavefronts(
                Access(16, 0x5bfe953b, [&](std::uint64_t lane) { return places[lane / 2]; }))),
            "6 wavefronts, 2 conflicts");
}

TEST(RateKernelTest, TakesTheExampleOfTheHandout) {
  const std::optional<Rating> add = rate_kernel({1, 2, 1, 4}, {60000, 3000});
  ASSERT_TRUE(add.has_value());
  EXPECT_NEAR(add->intensity, 1 / 12.0, 1e-12);
  EXPECT_NEAR(add->gflops, 250, 1e-9);
  EXPECT_TRUE(add->is_memory_bound);
}

TEST(RateKernelTest, StopsAtTheMachinesPeak) {
  const std::optional<Rating> dense = rate_kernel({1000, 1, 1, 4}, {60000, 3000});
  ASSERT_TRUE(dense.has_value());
  EXPECT_EQ(dense->gflops, 60000);
  EXPECT_FALSE(dense->is_memory_bound);
}

TEST(RateKernelTest, HasNoValueForAMachineWithoutMemory) {
  EXPECT_FALSE(rate_kernel({1, 2, 1, 4}, {60000, 0}).has_value());
}

TEST(CompareFormatsTest, TakesTheExampleOfTheHandout) {
  EXPECT_EQ(Text(compare_formats(Lengths{2, 1, 3, 2}, 4, 8)),
            "CSR 116 bytes, ELL 144, ELL is not smaller");
  EXPECT_EQ(Text(compare_formats(Lengths{3, 3, 3, 3}, 4, 8)),
            "CSR 164 bytes, ELL 144, ELL is smaller");
}

TEST(CompareFormatsTest, HasNoValueForANegativeLength) {
  EXPECT_EQ(Text(compare_formats(Lengths{2, -1}, 4, 8)), "no value");
}

TEST(ChooseHybridWidthTest, TakesTheExampleOfTheHandout) {
  EXPECT_EQ(Text(choose_hybrid_width(Lengths{2, 2, 2, 9}, 4, 4)), "width 2, 148 bytes");
}

TEST(ChooseHybridWidthTest, HasNoValueForAnIndexWithoutBytes) {
  EXPECT_EQ(Text(choose_hybrid_width(Lengths{2, 2}, 0, 4)), "no value");
}

TEST(CountHaloTest, TakesTheExamplesOfTheHandout) {
  EXPECT_EQ(Text(count_halo(Extents{4, 3}, 1, Stencil::kStar)), "tile 12, halo 14");
  EXPECT_EQ(Text(count_halo(Extents{4, 3}, 1, Stencil::kBox)), "tile 12, halo 18");
  EXPECT_EQ(Text(count_halo(Extents{8, 8, 8}, 1, Stencil::kBox)), "tile 512, halo 488");
}

TEST(CountHaloTest, HasNoValueForFourDimensions) {
  EXPECT_EQ(Text(count_halo(Extents{2, 2, 2, 2}, 1, Stencil::kBox)), "no value");
}

TEST(LargestTileTest, TakesTheExampleOfTheHandout) {
  EXPECT_EQ(Text(largest_tile(49152, 4, 3, 1)), "21");
  EXPECT_EQ(Text(largest_tile(49152, 8, 3, 1)), "16");
}

TEST(LargestTileTest, IsZeroWhereNotEvenOneCellFits) {
  EXPECT_EQ(Text(largest_tile(100, 4, 3, 1)), "0");
}

}  // namespace
}  // namespace performance_models
