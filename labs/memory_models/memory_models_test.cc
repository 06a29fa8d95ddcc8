// The public test: a few simple cases for each function, among them all of README.md. The grader
// tests more; memory_models.h says what.

#include "labs/memory_models/memory_models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "common/lab/testing/function.h"
#include "labs/memory_models/answers.h"

namespace memory_models {
namespace {

using Program = std::vector<Instruction>;

const lab::Function<decltype(LitmusOutcomes)> litmus_outcomes{"LitmusOutcomes"};
const lab::Function<decltype(FewestFences)> fewest_fences{"FewestFences"};
const lab::Function<decltype(RunStoreBuffer)> run_store_buffer{"RunStoreBuffer"};
const lab::Function<decltype(CountMesi)> count_mesi{"CountMesi"};
const lab::Function<decltype(RatePram)> rate_pram{"RatePram"};
const lab::Function<decltype(HideLatency)> hide_latency{"HideLatency"};
const lab::Function<decltype(MulticoreSpeedup)> multicore_speedup{"MulticoreSpeedup"};
const lab::Function<decltype(BestCoreSize)> best_core_size{"BestCoreSize"};

constexpr std::int32_t kX = 0;
constexpr std::int32_t kY = 1;

Instruction Store(std::int32_t thread, std::int32_t variable, std::int32_t value = 1) {
  return {thread, Kind::kStore, variable, value};
}

Instruction Load(std::int32_t thread, std::int32_t variable, std::int32_t into) {
  return {thread, Kind::kLoad, variable, into};
}

Instruction Fence(std::int32_t thread) { return {thread, Kind::kFence, 0, 0}; }

const Program kStoreBuffering{Store(0, kX), Load(0, kY, 0), Store(1, kY), Load(1, kX, 1)};
const Program kMessagePassing{Store(0, kX), Store(0, kY), Load(1, kY, 0), Load(1, kX, 1)};
const Program kLoadBuffering{Load(0, kX, 0), Store(0, kY), Load(1, kY, 1), Store(1, kX)};

TEST(LitmusOutcomesTest, BuffersStores) {
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kSequential, kStoreBuffering), 2), "10 01 11");
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kTotalStoreOrder, kStoreBuffering), 2), "00 10 01 11");
}

TEST(LitmusOutcomesTest, PassesAMessage) {
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kTotalStoreOrder, kMessagePassing), 2), "00 01 11");
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kPartialStoreOrder, kMessagePassing), 2),
            "00 10 01 11");
}

TEST(LitmusOutcomesTest, BuffersLoads) {
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kPartialStoreOrder, kLoadBuffering), 2), "00 10 01");
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kRelaxed, kLoadBuffering), 2), "00 10 01 11");
}

TEST(LitmusOutcomesTest, ForwardsStoresToTheirOwnThread) {
  const Program program{Store(0, kX), Load(0, kX, 0), Load(0, kY, 1),
                        Store(1, kY), Load(1, kY, 2), Load(1, kX, 3)};
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kSequential, program), 4), "1110 1011 1111");
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kTotalStoreOrder, program), 4), "1010 1110 1011 1111");
}

TEST(LitmusOutcomesTest, KeepsAccessesOfOneVariableInOrder) {
  const Program program{Store(0, kX), Load(1, kX, 0), Load(1, kX, 1)};
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kRelaxed, program), 2), "00 01 11");
}

TEST(LitmusOutcomesTest, StopsAtFences) {
  const Program program{Store(0, kX), Fence(0), Load(0, kY, 0),
                        Store(1, kY), Fence(1), Load(1, kX, 1)};
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kRelaxed, program), 2), "10 01 11");
}

TEST(LitmusOutcomesTest, HasNoValueForWhatIsNoProgram) {
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kRelaxed, Program{Store(4, kX)}), 2), "no value");
  EXPECT_EQ(Outcomes(litmus_outcomes(Model::kRelaxed, Program{Load(0, kX, 1), Load(1, kX, 1)}), 2),
            "no value");
}

TEST(FewestFencesTest, TakesTheExamplesOfTheHandout) {
  EXPECT_EQ(Text(fewest_fences(Model::kTotalStoreOrder, kStoreBuffering, 0)), "2");
  EXPECT_EQ(Text(fewest_fences(Model::kTotalStoreOrder, kMessagePassing, 1)), "0");
  EXPECT_EQ(Text(fewest_fences(Model::kPartialStoreOrder, kMessagePassing, 1)), "1");
  EXPECT_EQ(Text(fewest_fences(Model::kRelaxed, kMessagePassing, 1)), "2");
}

TEST(FewestFencesTest, HasNoValueForAnOutcomeThatNoFenceForbids) {
  EXPECT_EQ(Text(fewest_fences(Model::kRelaxed, kMessagePassing, 0)), "no value");
}

TEST(RunStoreBufferTest, TakesTheExampleOfTheHandout) {
  const std::vector<MemoryOperation> program{{Kind::kStore, 0}, {Kind::kStore, 8},
                                             {Kind::kLoad, 0},  {Kind::kStore, 16},
                                             {Kind::kLoad, 0},  {Kind::kFence, 0}};
  EXPECT_EQ(Text(run_store_buffer(program, 2, 4)), "14 cycles, 8 waited, 1 forwarded");
}

TEST(RunStoreBufferTest, HasNoValueForNoBuffer) {
  EXPECT_EQ(Text(run_store_buffer(std::vector<MemoryOperation>{}, 0, 4)), "no value");
}

TEST(CountMesiTest, TakesTheExampleOfTheHandout) {
  const std::vector<CoherentAccess> accesses{
      {0, Kind::kLoad, 0},  {0, Kind::kStore, 0}, {1, Kind::kLoad, 4},
      {1, Kind::kStore, 4}, {0, Kind::kLoad, 0},  {0, Kind::kLoad, 4},
  };
  EXPECT_EQ(Text(count_mesi(accesses, 2, 64)),
            "3 reads, 0 exclusive reads, 1 upgrades, 1 invalidations, 2 write-backs, "
            "1 by false sharing");
  EXPECT_EQ(Text(count_mesi(accesses, 2, 4)),
            "3 reads, 0 exclusive reads, 0 upgrades, 0 invalidations, 1 write-backs, "
            "0 by false sharing");
}

TEST(CountMesiTest, HasNoValueForAProcessorThatDoesNotExist) {
  EXPECT_EQ(Text(count_mesi(std::vector<CoherentAccess>{{2, Kind::kLoad, 0}}, 2, 64)), "no value");
}

TEST(RatePramTest, TakesTheExamplesOfTheHandout) {
  std::vector<PramAccess> maximum;
  for (std::int64_t who = 0; who < 8; ++who) maximum.push_back({0, who, Kind::kLoad, 100, 0});
  for (std::int64_t who = 0; who < 5; ++who) maximum.push_back({1, who, Kind::kStore, 200, 1});
  EXPECT_EQ(Text(rate_pram(maximum)), "common CRCW, 2 steps, EREW time 8");
  maximum.back().value = 2;
  EXPECT_EQ(Text(rate_pram(maximum)), "arbitrary CRCW, 2 steps, EREW time 8");
}

TEST(RatePramTest, LetsAllLoadBeforeAllStore) {
  const std::vector<PramAccess> shift{{0, 0, Kind::kLoad, 1, 0}, {0, 1, Kind::kStore, 1, 5}};
  EXPECT_EQ(Text(rate_pram(shift)), "EREW, 1 steps, EREW time 1");
}

TEST(RatePramTest, HasNoValueForTwoLoadsOfAProcessorAtOnce) {
  const std::vector<PramAccess> twice{{0, 0, Kind::kLoad, 1, 0}, {0, 0, Kind::kLoad, 2, 0}};
  EXPECT_EQ(Text(rate_pram(twice)), "no value");
}

TEST(HideLatencyTest, TakesTheExamplesOfTheHandout) {
  EXPECT_EQ(Text(hide_latency({600, 1900, 132, 64}, 4, 1)), "1140000 bytes, 68 warps, 2 loads");
  EXPECT_EQ(Text(hide_latency({600, 1900, 132, 64}, 4, 4)), "1140000 bytes, 17 warps, 2 loads");
  EXPECT_EQ(Text(hide_latency({600, 1900, 132, 64}, 16, 1)), "1140000 bytes, 17 warps, 1 loads");
}

TEST(HideLatencyTest, HasNoValueForNoWarps) {
  EXPECT_EQ(Text(hide_latency({600, 1900, 132, 0}, 4, 1)), "no value");
}

void ExpectSpeedup(std::optional<double> got, double want) {
  ASSERT_TRUE(got.has_value()) << "expected " << want << ", got no value";
  EXPECT_NEAR(*got, want, 1e-9 * want);
}

TEST(MulticoreSpeedupTest, TakesTheExamplesOfTheHandout) {
  ExpectSpeedup(multicore_speedup(Chip::kSymmetric, 0.9, 16, 1), 6.4);
  ExpectSpeedup(multicore_speedup(Chip::kSymmetric, 0.9, 16, 4), 1 / (0.1 / 2 + 0.9 / 8));
  ExpectSpeedup(multicore_speedup(Chip::kAsymmetric, 0.9, 16, 4), 1 / (0.1 / 2 + 0.9 / 14));
  ExpectSpeedup(multicore_speedup(Chip::kDynamic, 0.9, 16, 4), 1 / (0.1 / 2 + 0.9 / 16));
}

TEST(MulticoreSpeedupTest, HasNoValueForACoreLargerThanTheChip) {
  EXPECT_FALSE(multicore_speedup(Chip::kSymmetric, 0.9, 16, 17).has_value());
  EXPECT_FALSE(multicore_speedup(Chip::kSymmetric, std::nan(""), 16, 4).has_value());
}

TEST(BestCoreSizeTest, TakesTheExampleOfTheHandout) {
  const auto best = best_core_size(Chip::kSymmetric, 0.9, 16);
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->core_units, 2);
  ExpectSpeedup(best->speedup, 1 / (0.1 / std::sqrt(2) + 0.9 / (8 * std::sqrt(2))));
}

TEST(BestCoreSizeTest, HasNoValueForNoChip) {
  EXPECT_FALSE(best_core_size(Chip::kDynamic, 0.9, 0).has_value());
}

}  // namespace
}  // namespace memory_models
