// Laying out operations on engines.
#include "common/cudasim/runtime/streams/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace cudasim {
namespace {

constexpr Nanoseconds kLong = 100000;
using Kind = HostStep::Kind;

struct Builder {
  Trace trace;

  std::uint32_t Submit(Engine engine, Nanoseconds duration, std::vector<std::uint32_t> after = {},
                       unsigned thread = 0, unsigned stream = 1) {
    const auto index = static_cast<std::uint32_t>(trace.operations.size());
    trace.operations.push_back({engine, duration, stream, std::move(after)});
    trace.steps.push_back({Kind::kSubmits, thread, 0, {index}});
    return index;
  }
  void Wait(std::vector<std::uint32_t> operations) {
    trace.steps.push_back({Kind::kWaits, 0, 0, std::move(operations)});
  }
  void Work(Nanoseconds duration) { trace.steps.push_back({Kind::kWorks, 0, duration, {}}); }
};

TEST(LayoutTest, NothingTakesNoTime) {
  const Layout layout = LayOut({});
  EXPECT_EQ(layout.makespan, 0u);
  EXPECT_EQ(layout.busy, 0u);
}

TEST(LayoutTest, OperationsThatFollowEachOtherAddUp) {
  Builder b;
  const auto copy = b.Submit(Engine::kCopyIn, kLong);
  const auto kernel = b.Submit(Engine::kKernels, kLong, {copy});
  b.Submit(Engine::kCopyOut, kLong, {kernel});
  const Layout layout = LayOut(b.trace);
  EXPECT_EQ(layout.makespan, machine::kCall + 3 * kLong);
  EXPECT_EQ(layout.busy, 3 * kLong);
}

TEST(LayoutTest, IndependentOperationsOnDifferentEnginesOverlap) {
  Builder b;
  b.Submit(Engine::kCopyIn, kLong);
  b.Submit(Engine::kKernels, kLong);
  b.Submit(Engine::kCopyOut, kLong);
  EXPECT_EQ(LayOut(b.trace).makespan, 3 * machine::kCall + kLong);
}

TEST(LayoutTest, OneCallMaySubmitSeveralOperations) {
  Builder b;
  const auto copy = b.Submit(Engine::kCopyIn, kLong);
  b.Submit(Engine::kKernels, kLong, {copy});
  b.trace.steps.front().operations.push_back(1);
  b.trace.steps.pop_back();
  EXPECT_EQ(LayOut(b.trace).makespan, machine::kCall + 2 * kLong);
  b.Submit(Engine::kCopyOut, kLong);
  EXPECT_EQ(LayOut(b.trace).operations[2].begin, 2 * machine::kCall);
}

TEST(LayoutTest, AnEngineRunsOneOperationAtATime) {
  Builder b;
  b.Submit(Engine::kKernels, kLong);
  b.Submit(Engine::kKernels, kLong);
  EXPECT_EQ(LayOut(b.trace).makespan, machine::kCall + 2 * kLong);
}

// The kernel that is submitted second is ready first.
TEST(LayoutTest, AnEngineTakesWhatIsReadyFirst) {
  Builder b;
  const auto copy = b.Submit(Engine::kCopyIn, kLong);
  const auto late = b.Submit(Engine::kKernels, kLong, {copy});
  const auto early = b.Submit(Engine::kKernels, kLong / 2);
  const Layout layout = LayOut(b.trace);
  EXPECT_EQ(layout.operations[early].begin, 3 * machine::kCall);
  EXPECT_EQ(layout.operations[late].begin, layout.operations[copy].end);
}

TEST(LayoutTest, MarkersTakeNoTimeAndPassOnWhenTheyWereReached) {
  Builder b;
  const auto copy = b.Submit(Engine::kCopyIn, kLong);
  std::uint32_t last = copy;
  for (int i = 0; i < 100000; ++i) last = b.Submit(Engine::kNone, 0, {last});
  const auto kernel = b.Submit(Engine::kKernels, kLong, {last});
  const Layout layout = LayOut(b.trace);
  EXPECT_EQ(layout.operations[last].end,
            std::max(layout.operations[copy].end, (last + 1) * machine::kCall));
  EXPECT_EQ(layout.operations[kernel].begin, (kernel + 1) * machine::kCall);
}

TEST(LayoutTest, AHostThatWaitsSubmitsLater) {
  Builder b;
  const auto copy = b.Submit(Engine::kCopyIn, kLong);
  b.Wait({copy});
  b.Submit(Engine::kKernels, kLong);
  const Layout layout = LayOut(b.trace);
  EXPECT_EQ(layout.makespan, 2 * machine::kCall + machine::kWakeUp + 2 * kLong);
  EXPECT_EQ(layout.host_waits.size(), 1u);
}

TEST(LayoutTest, WaitingForWhatIsOverIsNoWait) {
  Builder b;
  const auto copy = b.Submit(Engine::kCopyIn, 10);
  b.Work(kLong);
  b.Wait({copy});
  const Layout layout = LayOut(b.trace);
  EXPECT_TRUE(layout.host_waits.empty());
  EXPECT_EQ(layout.makespan, machine::kCall + kLong);
  EXPECT_EQ(layout.busy, kLong + 10);
}

TEST(LayoutTest, ThreadsOfTheHostSubmitAtTheSameTime) {
  Builder b;
  b.Submit(Engine::kCopyIn, kLong, {}, 0);
  b.Submit(Engine::kKernels, kLong, {}, 1);
  EXPECT_EQ(LayOut(b.trace).makespan, machine::kCall + kLong);
}

TEST(LayoutTest, NamesTheStreamsOfOperationsThatAnEngineRan) {
  Builder b;
  b.Submit(Engine::kCopyIn, kLong, {}, 0, 3);
  b.Submit(Engine::kKernels, kLong, {}, 0, 0);
  b.Submit(Engine::kKernels, kLong, {}, 0, 3);
  b.Submit(Engine::kNone, 0, {}, 0, 5);
  EXPECT_EQ(LayOut(b.trace).streams, (std::set<unsigned>{0, 3}));
}

// n chunks on three engines: the first fills the pipeline, each other one adds one stage.
TEST(LayoutTest, APipelineTakesItsChunksAndTwoStagesMore) {
  Builder b;
  constexpr int kChunks = 20;
  for (int i = 0; i < kChunks; ++i) {
    const auto copy = b.Submit(Engine::kCopyIn, kLong);
    const auto kernel = b.Submit(Engine::kKernels, kLong, {copy});
    b.Submit(Engine::kCopyOut, kLong, {kernel});
  }
  EXPECT_EQ(LayOut(b.trace).makespan, machine::kCall + (kChunks + 2) * kLong);
}

// Whatever the program: nothing begins before what it waits for, engines run one operation at a
// time, and the makespan lies between the bounds of Graham's list scheduling.
TEST(LayoutTest, RandomProgramsRespectEveryOrder) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    Builder b;
    const std::uint32_t count = 1 + random() % 60;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::vector<std::uint32_t> after;
      for (std::uint32_t j = 0; j < i; ++j) {
        if (random() % 12 == 0) after.push_back(j);
      }
      b.Submit(static_cast<Engine>(random() % kEngines), random() % kLong, after);
      if (random() % 9 == 0) b.Wait({static_cast<std::uint32_t>(random() % (i + 1))});
    }
    const Layout layout = LayOut(b.trace);
    Nanoseconds sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const TimedOperation& operation = b.trace.operations[i];
      const bool marker = operation.engine == Engine::kNone;
      const Interval& mine = layout.operations[i];
      sum += marker ? 0 : operation.duration;
      ASSERT_EQ(mine.end - mine.begin, marker ? 0 : operation.duration);
      for (const auto before : operation.after) {
        ASSERT_GE(mine.begin, layout.operations[before].end);
      }
      for (std::uint32_t j = 0; j < i && !marker; ++j) {
        if (b.trace.operations[j].engine != operation.engine) continue;
        const Interval& other = layout.operations[j];
        ASSERT_TRUE(mine.begin >= other.end || other.begin >= mine.end) << i << " and " << j;
      }
    }
    ASSERT_EQ(layout.busy, sum);
    ASSERT_LE(layout.makespan, sum + count * (machine::kCall + machine::kWakeUp));
  }
}

}  // namespace
}  // namespace cudasim
