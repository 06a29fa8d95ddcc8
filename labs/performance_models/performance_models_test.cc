// The public test: a few simple cases for each function, among them all of README.md. The grader
// tests more; performance_models.h says what.

#include "labs/performance_models/performance_models.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/lab/testing/function.h"
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

// The same, but lanes that take no part have addresses that are not aligned.
WarpAccess WithOddIdleAddresses(WarpAccess access) {
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) access.address[lane] = 1000 + 2 * lane + 1;
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
  const std::int32_t n = 600'000;
  Dependences chain;
  for (std::int32_t task = 1; task < n; ++task) chain.push_back({task, task - 1});
  EXPECT_EQ(Text(measure_tasks(Times(n, 2), chain)), "work 1200000, span 1200000");
}

TEST(MeasureTasksTest, AddsTimesThatNeed64Bits) {
  EXPECT_EQ(Text(measure_tasks(Times{3'000'000'000, 4'000'000'000, 5}, Dependences{{1, 0}})),
            "work 7000000005, span 7000000000")
      << "sums of times exceed an int: use std::int64_t";
}

TEST(MeasureTasksTest, HasNoValueForATaskThatDoesNotExist) {
  const Times times{1, 2, 3, 4};
  for (const Dependence& wrong : {Dependence{1, 4}, {4, 1}, {-1, 2}, {2, -1}, {2, 1'000'000'000}}) {
    EXPECT_EQ(Text(measure_tasks(times, Dependences{{0, 1}, wrong})), "no value")
        << "4 tasks, dependence {" << wrong.before << ", " << wrong.after
        << "}: compare both indices with 0 and the number of tasks before you use them";
  }
}

TEST(MeasureTasksTest, HasNoValueForANegativeTime) {
  EXPECT_EQ(Text(measure_tasks(Times{4, -1, 4}, Dependences{{0, 1}})), "no value");
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

TEST(FitBlocksTest, RoundsWhatWarpsAndBlocksTake) {
  EXPECT_EQ(Text(fit_blocks(kH100, {100, 16, 0})), "16 blocks, 64 warps, limit threads")
      << "100 threads are 4 warps";
  EXPECT_EQ(Text(fit_blocks(kH100, {256, 41, 0})), "5 blocks, 40 warps, limit registers")
      << "41 * 32 = 1,312 registers of a warp become 1,536";
  EXPECT_EQ(Text(fit_blocks(kH100, {32, 32, 7000})), "28 blocks, 28 warps, limit shared memory")
      << "7,000 bytes and the 1,024 of the system become 8,064";
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

TEST(CountSectorsTest, LooksAtTheAlignmentOfActiveLanesOnly) {
  const WarpAccess access = Access(8, 0x0000FFFF, [](auto lane) { return lane; });
  EXPECT_EQ(Text(count_sectors(WithOddIdleAddresses(access))), "4")
      << "lanes 16 to 31 are idle, so their addresses may be odd";
  WarpAccess odd = access;
  odd.address[15] += 4;
  EXPECT_EQ(Text(count_sectors(odd)), "no value")
      << "lane 15 is active, and its address is not a multiple of 8";
}

TEST(CountSectorsTest, TakesAddressesOf64Bits) {
  EXPECT_EQ(Text(count_sectors(Access(4, kAllLanes, [](auto lane) { return lane << 34; }))), "32")
      << "addresses that agree in their lower 32 bits";
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

TEST(CountWavefrontsTest, LooksAtActiveLanesOnly) {
  const WarpAccess access = Access(8, 0x0000FFFF, [](auto lane) { return lane; });
  EXPECT_EQ(Text(count_wavefronts(WithOddIdleAddresses(access))), "1 wavefronts, 0 conflicts")
      << "lanes 16 to 31 are idle: their addresses may be odd, and their group costs nothing";
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

TEST(RateKernelTest, CallsAKernelOnTheRidgeNotMemoryBound) {
  // The ridge of this machine is at 2048 / 64 = 32 operations a byte, and 256 / (2 * 4) is that.
  const std::optional<Rating> ridge = rate_kernel({256, 1, 1, 4}, {2048, 64});
  ASSERT_TRUE(ridge.has_value());
  EXPECT_EQ(ridge->intensity, 32);
  EXPECT_EQ(ridge->gflops, 2048);
  EXPECT_FALSE(ridge->is_memory_bound)
      << "on the ridge the roof equals the machine's gflops: it is not below";
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

TEST(CompareFormatsTest, DoesNotCallEllSmallerForATie) {
  // 18 * 12 + 6 * 4 bytes, and 5 * 4 * 12.
  EXPECT_EQ(Text(compare_formats(Lengths{4, 4, 2, 4, 4}, 4, 8)),
            "CSR 240 bytes, ELL 240, ELL is not smaller");
}

TEST(CompareFormatsTest, CountsBytesThatNeed64Bits) {
  EXPECT_EQ(Text(compare_formats(Lengths{2'000'000'000, 1'000'000'000, 3}, 4, 8)),
            "CSR 36000000052 bytes, ELL 72000000000, ELL is not smaller")
      << "sums and products exceed an int: use std::int64_t, and convert one factor before you "
         "multiply";
}

TEST(CompareFormatsTest, HasNoValueForANegativeLength) {
  EXPECT_EQ(Text(compare_formats(Lengths{2, -1}, 4, 8)), "no value");
}

TEST(ChooseHybridWidthTest, TakesTheExampleOfTheHandout) {
  EXPECT_EQ(Text(choose_hybrid_width(Lengths{2, 2, 2, 9}, 4, 4)), "width 2, 148 bytes");
}

TEST(ChooseHybridWidthTest, TakesTheSmallestOfSeveralBestWidths) {
  // Three of four rows are longer than 1: a slot more costs 4 * 12 bytes and saves 3 * 16.
  EXPECT_EQ(Text(choose_hybrid_width(Lengths{6, 1, 6, 6}, 4, 8)), "width 1, 288 bytes")
      << "widths 1 to 6 all take 288 bytes";
}

TEST(ChooseHybridWidthTest, CountsBytesThatNeed64Bits) {
  EXPECT_EQ(Text(choose_hybrid_width(Lengths{1'500'000'000, 0, 1}, 4, 4)),
            "width 0, 18000000012 bytes");
}

TEST(ChooseHybridWidthTest, HasNoValueForAnIndexWithoutBytes) {
  EXPECT_EQ(Text(choose_hybrid_width(Lengths{2, 2}, 0, 4)), "no value");
}

TEST(CountHaloTest, TakesTheExamplesOfTheHandout) {
  EXPECT_EQ(Text(count_halo(Extents{4, 3}, 1, Stencil::kStar)), "tile 12, halo 14");
  EXPECT_EQ(Text(count_halo(Extents{4, 3}, 1, Stencil::kBox)), "tile 12, halo 18");
  EXPECT_EQ(Text(count_halo(Extents{8, 8, 8}, 1, Stencil::kBox)), "tile 512, halo 488");
}

TEST(CountHaloTest, CountsCellsThatNeed64Bits) {
  EXPECT_EQ(Text(count_halo(Extents{50'000, 60'000}, 3, Stencil::kStar)),
            "tile 3000000000, halo 660000");
  EXPECT_EQ(Text(count_halo(Extents{50'000, 60'000}, 3, Stencil::kBox)),
            "tile 3000000000, halo 660036")
      << "products exceed an int: use std::int64_t";
}

TEST(CountHaloTest, HasNoValueForFourDimensions) {
  EXPECT_EQ(Text(count_halo(Extents{2, 2, 2, 2}, 1, Stencil::kBox)), "no value");
}

TEST(LargestTileTest, TakesTheExampleOfTheHandout) {
  EXPECT_EQ(Text(largest_tile(49152, 4, 3, 1)), "21");
  EXPECT_EQ(Text(largest_tile(49152, 8, 3, 1)), "16");
}

TEST(LargestTileTest, TakesExactPowers) {
  const char* hint = "a root in floating point is rounded: search in whole numbers";
  EXPECT_EQ(Text(largest_tile(2 * 216, 2, 3, 0)), "6") << hint;
  EXPECT_EQ(Text(largest_tile(2 * 216 - 1, 2, 3, 0)), "5") << hint;
  EXPECT_EQ(Text(largest_tile(8 * 3375, 8, 3, 2)), "11") << hint;
  // One byte too few for a square of 2^31 - 1 cells; as double, both are the same number.
  const std::int64_t square = std::int64_t{2'147'483'647} * 2'147'483'647;
  EXPECT_EQ(Text(largest_tile(square, 1, 2, 0)), "2147483647") << hint;
  EXPECT_EQ(Text(largest_tile(square - 1, 1, 2, 0)), "2147483646") << hint;
}

TEST(LargestTileTest, IsZeroWhereNotEvenOneCellFits) {
  EXPECT_EQ(Text(largest_tile(100, 4, 3, 1)), "0");
  EXPECT_EQ(Text(largest_tile(100, 4, 3, 5)), "0") << "no edge is negative";
}

}  // namespace
}  // namespace performance_models
