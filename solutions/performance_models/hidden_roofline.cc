// The hidden test of RateKernel.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/performance_models/performance_models.h"

namespace performance_models::roofline {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const lab::Function<decltype(RateKernel)> rate_kernel{"RateKernel"};

std::string Text(const KernelCounts& kernel, const Machine& machine) {
  return std::to_string(kernel.operations) + " operations, " + std::to_string(kernel.loads) +
         " loads, " + std::to_string(kernel.stores) + " stores of " +
         std::to_string(kernel.element_bytes) + " bytes; " +
         testing::PrintToString(machine.gflops) + " GFLOP/s, " +
         testing::PrintToString(machine.gigabytes_per_second) + " GB/s";
}

bool Near(double got, double want) {
  return got == want || std::abs(got - want) <= 1e-12 * std::abs(want);
}

void ExpectRating(const KernelCounts& kernel, const Machine& machine, const Rating& want) {
  const std::optional<Rating> got = rate_kernel(kernel, machine);
  ASSERT_TRUE(got.has_value()) << Text(kernel, machine) << ": got no value";
  ASSERT_TRUE(Near(got->intensity, want.intensity))
      << Text(kernel, machine) << ": expected intensity " << want.intensity << ", got "
      << got->intensity;
  ASSERT_TRUE(Near(got->gflops, want.gflops))
      << Text(kernel, machine) << ": expected " << want.gflops << " GFLOP/s, got " << got->gflops;
  ASSERT_EQ(got->is_memory_bound, want.is_memory_bound) << Text(kernel, machine);
}

void ExpectNoValue(const KernelCounts& kernel, const Machine& machine) {
  EXPECT_FALSE(rate_kernel(kernel, machine).has_value()) << Text(kernel, machine);
}

TEST(RateKernelTest, CountsTheBytesOfLoadsAndStores) {
  ExpectRating({2, 2, 1, 4}, {60000, 3000}, {1 / 6.0, 500, true});
  ExpectRating({2, 2, 1, 8}, {60000, 3000}, {1 / 12.0, 250, true});
  ExpectRating({2, 0, 1, 4}, {60000, 3000}, {0.5, 1500, true});
  ExpectRating({2, 1, 0, 4}, {60000, 3000}, {0.5, 1500, true});
}

TEST(RateKernelTest, TakesNumbersOfOneByteAndLargeOnes) {
  ExpectRating({1, 1, 0, 1}, {1000, 100}, {1, 100, true});
  ExpectRating({1, 0, 0, 1}, {1000, 100}, {kInfinity, 1000, false});
  ExpectRating({1LL << 40, 1LL << 40, 1LL << 40, 1 << 20}, {1000, 1024}, {0x1p-21, 0x1p-11, true});
}

TEST(RateKernelTest, StopsAtTheMachinesPeak) {
  ExpectRating({4096, 2, 1, 4}, {60000, 3000}, {4096 / 12.0, 60000, false});
}

TEST(RateKernelTest, CallsAKernelOnTheRidgeNotMemoryBound) {
  ExpectRating({32, 1, 0, 4}, {1024, 128}, {8, 1024, false});
  ExpectRating({31, 1, 0, 4}, {1024, 128}, {7.75, 992, true});
  ExpectRating({33, 1, 0, 4}, {1024, 128}, {8.25, 1024, false});
}

TEST(RateKernelTest, TakesAKernelWithoutOperationsOrWithoutMemory) {
  ExpectRating({0, 1, 1, 4}, {1000, 100}, {0, 0, true});
  ExpectRating({7, 0, 0, 4}, {1000, 100}, {kInfinity, 1000, false});
}

TEST(RateKernelTest, TakesCountsOfEverySize) {
  lab::Random random;
  for (int i = 0; i < 300; ++i) {
    const auto count = [&] { return random.UniformInt<std::int64_t>(0, 1LL << (i % 41)); };
    const KernelCounts kernel{count() + 1, count() + 1, count(), random.UniformInt(1, 64)};
    const Machine machine{std::exp2(random.UniformDouble(-10, 30)),
                          std::exp2(random.UniformDouble(-10, 30))};
    const long double bytes =
        static_cast<long double>(kernel.loads + kernel.stores) * kernel.element_bytes;
    const long double slope = kernel.operations / bytes * machine.gigabytes_per_second;
    if (std::abs(slope - machine.gflops) <= 1e-9L * slope) continue;  // too close to the ridge
    const bool is_memory_bound = slope < machine.gflops;
    ASSERT_NO_FATAL_FAILURE(ExpectRating(
        kernel, machine,
        {static_cast<double>(kernel.operations / bytes),
         is_memory_bound ? static_cast<double>(slope) : machine.gflops, is_memory_bound}));
  }
}

TEST(RateKernelTest, HasNoValueForCountsThatNoKernelHas) {
  const Machine machine{1000, 100};
  for (const KernelCounts& kernel : std::vector<KernelCounts>{{-1, 1, 1, 4},
                                                              {1, -1, 2, 4},
                                                              {1, 2, -1, 4},
                                                              {1, 1, 1, 0},
                                                              {1, 1, 1, -4},
                                                              {1, 0, 0, 0},
                                                              {0, 0, 0, 4},
                                                              {0, 3, -3, 4}}) {
    ExpectNoValue(kernel, machine);
  }
}

TEST(RateKernelTest, HasNoValueForAMachineWithoutSpeed) {
  for (const double wrong : {0.0, -1.0, kInfinity, -kInfinity, std::nan("")}) {
    ExpectNoValue({1, 1, 1, 4}, {wrong, 100});
    ExpectNoValue({1, 1, 1, 4}, {1000, wrong});
  }
}

TEST(RateKernelTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string&) {
    ExpectRating({8, 1, 1, 4}, {1000, 100}, {1, 100, true});
  });
}

}  // namespace performance_models::roofline
