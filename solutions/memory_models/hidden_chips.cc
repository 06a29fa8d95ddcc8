// The hidden test of MulticoreSpeedup and BestCoreSize.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/memory_models/memory_models.h"

namespace memory_models::chips {

const lab::Function<decltype(MulticoreSpeedup)> multicore_speedup{"MulticoreSpeedup"};
const lab::Function<decltype(BestCoreSize)> best_core_size{"BestCoreSize"};

constexpr std::array kChips{Chip::kSymmetric, Chip::kAsymmetric, Chip::kDynamic};
constexpr std::array<const char*, 3> kNames{"symmetric", "asymmetric", "dynamic"};
constexpr std::int64_t kMost = 1 << 20;

long double Expected(Chip chip, long double parallel, std::int64_t units, std::int64_t size) {
  const long double large = std::sqrt(static_cast<long double>(size));
  long double together = units;
  if (chip == Chip::kSymmetric) together = units / size * large;
  if (chip == Chip::kAsymmetric) together = large + (units - size);
  return 1 / ((1 - parallel) / large + parallel / together);
}

void ExpectRight(Chip chip, double parallel, std::int64_t units, std::int64_t size) {
  const auto got = multicore_speedup(chip, parallel, units, size);
  const auto want = static_cast<double>(Expected(chip, parallel, units, size));
  ASSERT_TRUE(got && std::abs(*got - want) <= 1e-9 * want)
      << kNames[static_cast<int>(chip)] << ", parallel fraction " << parallel << ", " << units
      << " units, a core of " << size << ": expected " << want << ", got "
      << (got ? testing::PrintToString(*got) : "no value");
}

TEST(MulticoreSpeedupTest, TakesChipsOfEverySize) {
  lab::Random random;
  for (int round = 0; round < 400; ++round) {
    const auto units = random.UniformInt<std::int64_t>(1, kMost >> round % 21);
    const double any = random.UniformDouble(0, 1);
    ASSERT_NO_FATAL_FAILURE(ExpectRight(kChips[round % 3], round % 2 == 0 ? any : std::sqrt(any),
                                        units, random.UniformInt<std::int64_t>(1, units)));
  }
}

TEST(MulticoreSpeedupTest, TakesWhatIsAllSerialOrAllParallel) {
  for (const Chip chip : kChips) {
    for (const double parallel : {0.0, 1.0}) {
      ExpectRight(chip, parallel, 256, 1);
      ExpectRight(chip, parallel, 256, 100);
      ExpectRight(chip, parallel, 256, 256);
      ExpectRight(chip, parallel, 1, 1);
    }
  }
}

TEST(MulticoreSpeedupTest, LeavesIdleWhatMakesNoWholeCore) {
  ExpectRight(Chip::kSymmetric, 0.9, 16, 5);
  ExpectRight(Chip::kSymmetric, 0.9, 16, 9);
}

TEST(MulticoreSpeedupTest, HasNoValueForWhatIsNoChip) {
  for (const double parallel : {-0.1, 1.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(multicore_speedup(Chip::kDynamic, parallel, 16, 4).has_value()) << parallel;
  }
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{17}}) {
    EXPECT_FALSE(multicore_speedup(Chip::kSymmetric, 0.5, 16, size).has_value()) << size;
  }
  for (const std::int64_t units : {std::int64_t{0}, std::int64_t{-16}, kMost + 1}) {
    EXPECT_FALSE(multicore_speedup(Chip::kAsymmetric, 0.5, units, 1).has_value()) << units;
  }
  EXPECT_FALSE(multicore_speedup(static_cast<Chip>(3), 0.5, 16, 4).has_value());
  EXPECT_FALSE(multicore_speedup(static_cast<Chip>(-1), 0.5, 16, 4).has_value());
}

TEST(MulticoreSpeedupTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const auto&) {
    ASSERT_NO_FATAL_FAILURE(
        ExpectRight(Chip::kAsymmetric, 0.75, 256, random.UniformInt<std::int64_t>(1, 256)));
  });
}

void ExpectBest(Chip chip, double parallel, std::int64_t units) {
  long double best = 0;
  for (std::int64_t size = 1; size <= units; ++size) {
    best = std::max(best, Expected(chip, parallel, units, size));
  }
  const auto got = best_core_size(chip, parallel, units);
  const auto near = [best](long double speedup) {
    return std::abs(speedup - best) <= 1e-9L * best;
  };
  ASSERT_TRUE(got && got->core_units >= 1 && got->core_units <= units && near(got->speedup) &&
              near(Expected(chip, parallel, units, got->core_units)))
      << kNames[static_cast<int>(chip)] << ", parallel fraction " << parallel << ", " << units
      << " units: expected a speedup of " << static_cast<double>(best) << ", got "
      << (got ? testing::PrintToString(got->speedup) + " by a core of " +
                    std::to_string(got->core_units)
              : "no value");
}

TEST(BestCoreSizeTest, TakesChipsOfEverySize) {
  lab::Random random;
  for (int round = 0; round < 90; ++round) {
    const auto units = random.UniformInt<std::int64_t>(1, 4096 >> round % 13);
    ASSERT_NO_FATAL_FAILURE(
        ExpectBest(kChips[round % 3], std::sqrt(random.UniformDouble(0, 1)), units));
  }
}

TEST(BestCoreSizeTest, TakesWhatIsAllSerialOrAllParallel) {
  for (const Chip chip : kChips) {
    ASSERT_NO_FATAL_FAILURE(ExpectBest(chip, 0, 100));
    ASSERT_NO_FATAL_FAILURE(ExpectBest(chip, 1, 100));
    ASSERT_NO_FATAL_FAILURE(ExpectBest(chip, 0.5, 1));
  }
}

TEST(BestCoreSizeTest, FindsSizesThatAreNoPowerOfTwo) {
  for (const double parallel : {0.5, 0.9, 0.975, 0.99}) {
    for (const Chip chip : kChips) ASSERT_NO_FATAL_FAILURE(ExpectBest(chip, parallel, 1000));
  }
}

TEST(BestCoreSizeTest, TakesTheLargestChip) {
  for (const Chip chip : kChips) ASSERT_NO_FATAL_FAILURE(ExpectBest(chip, 0.999, kMost));
}

TEST(BestCoreSizeTest, HasNoValueForWhatIsNoChip) {
  EXPECT_FALSE(best_core_size(Chip::kDynamic, std::nan(""), 16).has_value());
  EXPECT_FALSE(best_core_size(Chip::kDynamic, -0.1, 16).has_value());
  EXPECT_FALSE(best_core_size(Chip::kDynamic, 0.5, 0).has_value());
  EXPECT_FALSE(best_core_size(Chip::kSymmetric, 0.5, kMost + 1).has_value());
  EXPECT_FALSE(best_core_size(static_cast<Chip>(3), 0.5, 16).has_value());
}

TEST(BestCoreSizeTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const auto&) {
    ASSERT_NO_FATAL_FAILURE(
        ExpectBest(Chip::kAsymmetric, 0.9, random.UniformInt<std::int64_t>(1, 256)));
  });
}

}  // namespace memory_models::chips
