// The hidden test of FitBlocks.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/performance_models/answers.h"
#include "labs/performance_models/performance_models.h"

namespace performance_models::occupancy {

constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();

const lab::Function<decltype(FitBlocks)> fit_blocks{"FitBlocks"};

// Multiprocessors with other numbers than any that was built.
constexpr Multiprocessor kSmall{192, 5, 96, 2, 3000, 40, 63, 1000, 24, 7};
constexpr Multiprocessor kOdd{32 * 19, 1000, 32 * 19, 3, 9999, 7, 200, 65537, 100, 33};

std::int64_t UnitsFor(std::int64_t asked, std::int64_t unit) {
  std::int64_t units = 0;
  while (units * unit < asked) ++units;
  return units;
}

// Whether each of the four allows that many blocks, in the order of Limit.
std::array<bool, 4> Allowed(const Multiprocessor& machine, const Launch& launch,
                            std::int64_t blocks) {
  const std::int64_t warps = UnitsFor(launch.threads_per_block, kWarpLanes);
  const std::int64_t for_warp =
      UnitsFor(std::int64_t{kWarpLanes} * launch.registers_per_thread, machine.register_unit) *
      machine.register_unit;
  // The warps of all blocks, dealt to the schedulers in turn: the first has most.
  const std::int64_t dealt = UnitsFor(blocks * warps, machine.schedulers);
  const std::int64_t share = machine.registers / machine.schedulers;
  const std::int64_t for_block =
      UnitsFor(std::int64_t{launch.shared_bytes_per_block} + machine.shared_reserved,
               machine.shared_unit) *
      machine.shared_unit;
  return {
      launch.threads_per_block <= machine.max_threads_per_block &&
          blocks * warps * kWarpLanes <= machine.max_threads,
      blocks <= machine.max_blocks,
      launch.registers_per_thread <= machine.max_registers_per_thread && dealt * for_warp <= share,
      blocks * for_block <= machine.shared_bytes};
}

Occupancy Expected(const Multiprocessor& machine, const Launch& launch) {
  std::int32_t blocks = 0;
  for (;; ++blocks) {
    const std::array<bool, 4> allowed = Allowed(machine, launch, blocks + 1);
    const auto first = std::find(allowed.begin(), allowed.end(), false);
    if (first == allowed.end()) continue;
    const auto warps = UnitsFor(launch.threads_per_block, kWarpLanes);
    return {blocks, static_cast<std::int32_t>(blocks * warps),
            static_cast<Limit>(first - allowed.begin())};
  }
}

// Fatal, so that a loop over many launches stops at the first that fails.
void ExpectFit(const Multiprocessor& machine, const Launch& launch, const std::string& what) {
  ASSERT_EQ(Text(fit_blocks(machine, launch)), Text(std::optional(Expected(machine, launch))))
      << Text(launch) << " a block, " << what;
}

TEST(FitBlocksTest, AgreesWithTheCalculatorOfTheToolkit) {
  struct Case {
    Launch launch;
    Occupancy want;
  };
  const std::vector<Case> cases = {
      {{256, 32, 0}, {8, 64, Limit::kThreads}},
      {{256, 40, 0}, {6, 48, Limit::kRegisters}},
      {{256, 33, 0}, {6, 48, Limit::kRegisters}},
      {{1024, 32, 0}, {2, 64, Limit::kThreads}},
      {{1024, 33, 0}, {1, 32, Limit::kRegisters}},
      {{1024, 65, 0}, {0, 0, Limit::kRegisters}},
      {{768, 16, 0}, {2, 48, Limit::kThreads}},
      {{32, 16, 0}, {32, 32, Limit::kBlocks}},
      {{1, 16, 0}, {32, 32, Limit::kBlocks}},
      {{33, 16, 0}, {32, 64, Limit::kThreads}},
      {{128, 32, 49152}, {4, 16, Limit::kSharedMemory}},
      {{128, 32, 1}, {16, 64, Limit::kThreads}},
      {{32, 255, 0}, {8, 8, Limit::kRegisters}},
      {{64, 32, 6272}, {32, 64, Limit::kThreads}},
      {{64, 32, 6273}, {31, 62, Limit::kSharedMemory}},
      {{96, 168, 0}, {4, 12, Limit::kRegisters}},
      {{256, 32, 232448}, {1, 8, Limit::kSharedMemory}},
      {{256, 32, 232449}, {0, 0, Limit::kSharedMemory}},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(Text(fit_blocks(kH100, one.launch)), Text(std::optional(one.want)))
        << Text(one.launch) << " a block, H100";
  }
}

TEST(FitBlocksTest, TakesThreadsAroundEveryWarp) {
  for (std::int32_t warps = 0; warps <= 32; ++warps) {
    for (const std::int32_t threads : {32 * warps - 1, 32 * warps, 32 * warps + 1}) {
      if (threads < 1) continue;
      ASSERT_NO_FATAL_FAILURE(ExpectFit(kH100, {threads, 16, 0}, "H100"));
    }
  }
}

TEST(FitBlocksTest, TakesEveryNumberOfRegisters) {
  for (std::int32_t registers = 0; registers <= 257; ++registers) {
    const std::int32_t threads = 32 * (1 + registers % 7);
    ASSERT_NO_FATAL_FAILURE(ExpectFit(kH100, {threads, registers, 0}, "H100"));
  }
}

TEST(FitBlocksTest, TakesSharedMemoryAroundEveryGranule) {
  for (std::int32_t blocks = 1; blocks <= 32; ++blocks) {
    const std::int32_t most = kH100.shared_bytes / blocks / 128 * 128 - 1024;
    for (const std::int32_t bytes : {most - 128, most - 127, most - 1, most, most + 1}) {
      ASSERT_NO_FATAL_FAILURE(ExpectFit(kH100, {32, 16, bytes}, "H100"));
    }
  }
}

TEST(FitBlocksTest, TakesOtherMultiprocessors) {
  lab::Random random;
  for (const Multiprocessor& machine : {kH100, kT4, kSmall, kOdd}) {
    for (int i = 0; i < 150; ++i) {
      const Launch launch{
          random.UniformInt(1, machine.max_threads_per_block + 1),
          random.UniformInt(0, (machine.max_registers_per_thread + 1) >> random.UniformInt(0, 3)),
          random.UniformInt(0, machine.shared_bytes >> random.UniformInt(0, 6))};
      ASSERT_NO_FATAL_FAILURE(
          ExpectFit(machine, launch,
                    "a multiprocessor for " + std::to_string(machine.max_threads) + " threads"));
    }
  }
}

TEST(FitBlocksTest, NamesTheFirstOfSeveralLimits) {
  // First all four allow two blocks; then the first allows more, then also the second, and so on.
  const Launch launch{64, 32, 100};
  const Multiprocessor all_two{128, 2, 64, 1, 4096, 256, 255, 256, 128, 0};
  EXPECT_EQ(Text(fit_blocks(all_two, launch)), "2 blocks, 4 warps, limit threads");
  Multiprocessor more = all_two;
  more.max_threads = 1024;
  EXPECT_EQ(Text(fit_blocks(more, launch)), "2 blocks, 4 warps, limit blocks");
  more.max_blocks = 3;
  EXPECT_EQ(Text(fit_blocks(more, launch)), "2 blocks, 4 warps, limit registers");
  more.registers = 3 * 2048;
  EXPECT_EQ(Text(fit_blocks(more, launch)), "2 blocks, 4 warps, limit shared memory");
}

TEST(FitBlocksTest, RoundsASingleByteOfSharedMemoryUp) {
  const Multiprocessor machine{1024, 32, 1024, 1, 65536, 256, 255, 512, 128, 0};
  EXPECT_EQ(Text(fit_blocks(machine, {32, 32, 0})), "32 blocks, 32 warps, limit threads");
  EXPECT_EQ(Text(fit_blocks(machine, {32, 32, 1})), "4 blocks, 4 warps, limit shared memory");
}

TEST(FitBlocksTest, FitsNoBlockThatAsksForTooMuch) {
  EXPECT_EQ(Text(fit_blocks(kH100, {1025, 16, 0})), "0 blocks, 0 warps, limit threads");
  EXPECT_EQ(Text(fit_blocks(kH100, {32, 256, 0})), "0 blocks, 0 warps, limit registers");
  EXPECT_EQ(Text(fit_blocks(kH100, {kHighest, 16, 0})), "0 blocks, 0 warps, limit threads");
  EXPECT_EQ(Text(fit_blocks(kH100, {32, kHighest, 0})), "0 blocks, 0 warps, limit registers");
  EXPECT_EQ(Text(fit_blocks(kH100, {32, 16, kHighest})), "0 blocks, 0 warps, limit shared memory");
  EXPECT_EQ(Text(fit_blocks(kH100, {kHighest, kHighest, kHighest})),
            "0 blocks, 0 warps, limit threads");
}

TEST(FitBlocksTest, HasNoLimitByRegistersOrSharedMemoryThatNobodyUses) {
  EXPECT_EQ(Text(fit_blocks(kT4, {32, 0, 0})), "16 blocks, 16 warps, limit blocks");
  EXPECT_EQ(Text(fit_blocks(kH100, {1024, 0, 0})), "2 blocks, 64 warps, limit threads");
}

TEST(FitBlocksTest, HasNoValueForALaunchWithoutAMeaning) {
  for (const std::int32_t wrong : {-1, -32, std::numeric_limits<std::int32_t>::min()}) {
    EXPECT_EQ(Text(fit_blocks(kH100, {wrong, 32, 0})), "no value") << wrong << " threads";
    EXPECT_EQ(Text(fit_blocks(kH100, {32, wrong, 0})), "no value") << wrong << " registers";
    EXPECT_EQ(Text(fit_blocks(kH100, {32, 32, wrong})), "no value") << wrong << " bytes";
  }
  EXPECT_EQ(Text(fit_blocks(kH100, {0, 32, 0})), "no value") << "0 threads";
}

TEST(FitBlocksTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectFit(kOdd, {70, 50, 999}, what));
  });
}

}  // namespace performance_models::occupancy
