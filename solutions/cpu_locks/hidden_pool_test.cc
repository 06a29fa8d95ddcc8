// The hidden test of the lab "Locks from atomics", parts 4 and 5.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/cpu_locks/hidden_checks.h"

namespace cpu_locks {
namespace {

std::vector<Event> Events(lab::Random& random, std::size_t n, std::uint32_t most_rounds) {
  std::vector<Event> events(n);
  for (Event& event : events) {
    event = {random.Next(), random.Uniform<std::uint32_t>(0, most_rounds), 0};
  }
  return events;
}

// What each ranked event must read: a thread goes on until its next ranked event is counted; then
// that of the lowest rank reads, and its thread goes on.
std::vector<std::uint64_t> WantedTotals(const std::vector<Event>& events, std::size_t threads) {
  std::vector<std::uint64_t> totals(events.size());
  std::vector<std::size_t> at(threads);
  std::uint64_t counted = 0;
  const auto go_on = [&](std::size_t i) {
    for (; i < events.size(); i += threads) {
      counted += AmountOf(events[i]);
      if (events[i].rank != 0) break;
    }
    return i;
  };
  for (std::size_t t = 0; t < threads; ++t) at[t] = go_on(t);
  while (true) {
    const auto next = std::ranges::min_element(
        at, {}, [&](std::size_t i) { return i < events.size() ? events[i].rank : 0xffff'ffff; });
    if (*next >= events.size()) return totals;
    totals[*next] = counted;
    *next = go_on(*next + threads);
  }
}

TEST(CountEventsTest, CountsEveryEventOnceWhateverTheNumbers) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : {0, 1, 2, 7, 8, 9, 200}) {
      Count(Events(random, n, 50), threads);
      if (HasFailure()) return;
    }
  }
}

TEST(CountEventsTest, SharesNoCacheLineOfManyThreads) {
  lab::Random random;
  for (const int threads : {2, 3, 16, 33}) Count(Events(random, 4 * threads, 0), threads);
}

TEST(CountEventsTest, ReadsAllThatHasBeenCounted) {
  lab::Random random;
  for (int threads = 1; threads <= 5; ++threads) {
    std::vector<Event> events = Events(random, 6 * threads, 10);
    std::vector<std::uint32_t> ranks(events.size());
    std::iota(ranks.begin(), ranks.end(), 1);
    random.Shuffle(std::span(ranks));
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (random.UniformInt(0, 1) == 1) events[i].rank = ranks[i];
    }
    const std::vector<Receipt> receipts = Count(events, threads);
    const std::vector<std::uint64_t> want = WantedTotals(events, threads);
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(receipts[i].total, want[i]) << "receipts[" << i << "].total";
    }
  }
}

// All threads read at the same time, and go on to count.
TEST(CountEventsTest, ReadsWhileOthersCount) {
  lab::Random random;
  constexpr std::size_t kThreads = 4;
  std::vector<Event> events = Events(random, 10 * kThreads, 10);
  for (Event& event : events) event.rank = 1;
  const std::vector<Receipt> receipts = Count(events, kThreads);
  std::uint64_t least = 0;
  for (std::size_t begin = 0; begin < events.size(); begin += kThreads) {
    for (std::size_t i = begin; i < begin + kThreads; ++i) least += AmountOf(events[i]);
    std::uint64_t most = least;
    for (std::size_t i = begin + kThreads; i < std::min(events.size(), begin + 2 * kThreads); ++i) {
      most += AmountOf(events[i]);
    }
    for (std::size_t i = begin; i < begin + kThreads; ++i) {
      EXPECT_GE(receipts[i].total, least) << "receipts[" << i << "].total";
      EXPECT_LE(receipts[i].total, most) << "receipts[" << i << "].total";
    }
  }
}

TEST(CountEventsTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Count(Events(random, 60, 20), 4);
  });
}

constexpr Step kTake{0, 0, 0, 0, 0};
constexpr Step kGive{0, 0, 1, 0, 0};

// Takes and gives at random; a thread never has more than `most` blocks.
std::vector<Step> Steps(lab::Random& random, std::size_t n, std::size_t threads, std::uint32_t most,
                        std::uint32_t most_rounds) {
  std::vector<Step> steps(n);
  std::vector<std::uint32_t> has(threads);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t& own = has[i % threads];
    const bool gives = own == most || (own > 0 && random.UniformInt(0, 1) == 1);
    gives ? --own : ++own;
    steps[i] = {random.Next(), random.Uniform<std::uint32_t>(0, most_rounds), gives ? 1u : 0u, 0,
                0};
  }
  return steps;
}

// There are as many blocks as the threads have together: none is ever missing.
void TakeAndGive(lab::Random& random, std::size_t n, int threads, std::uint32_t most) {
  const std::vector<Step> steps = Steps(random, n, threads, most, 20);
  const std::vector<Grant> grants = Grants(steps, threads, std::size_t{most} * threads);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_NE(grants[i].block, kNoBlock) << "grants[" << i << "].block, of a pool with free blocks";
  }
}

TEST(RunWithPoolTest, GivesABlockToOneOwnerWhateverTheNumbers) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : {0, 1, 2, 9, 100}) {
      TakeAndGive(random, n, threads, 1 + n % 3);
      if (HasFailure()) return;
    }
  }
}

TEST(RunWithPoolTest, LosesNoBlockInManyShortCalls) {
  lab::Random random;
  for (std::size_t call = 0; call < 100; ++call) {
    TakeAndGive(random, 24, 3, 1);
    if (HasFailure()) return;
  }
}

// One thread: the stack is known at every step.
TEST(RunWithPoolTest, TakesTheBlockThatWasGivenLast) {
  lab::Random random;
  for (const std::size_t size : {1, 2, 5, 40}) {
    std::vector<Step> steps(100);
    for (Step& step : steps)
      step = {random.Next(), 5, random.UniformInt(0, 1) == 1 ? 1u : 0u, 0, 0};
    const std::vector<Grant> grants = Grants(steps, 1, size);
    std::vector<std::uint32_t> free(size);
    std::iota(free.rbegin(), free.rend(), 0);
    std::deque<std::uint32_t> own{kNoBlock};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::uint32_t want = kNoBlock;
      if (steps[i].gives == 0 && !free.empty()) {
        own.push_back(want = free.back());
        free.pop_back();
      } else if (steps[i].gives != 0 && own.size() > 1) {
        free.push_back(want = own[1]);
        own.erase(own.begin() + 1);
      }
      ASSERT_EQ(grants[i].block, want) << "grants[" << i << "].block, with " << size << " blocks";
    }
  }
}

TEST(RunWithPoolTest, HasNoBlockWhereThereIsNone) {
  lab::Random random;
  for (int threads = 1; threads <= 4; ++threads) {
    for (const Grant& grant : Grants(Steps(random, 20, threads, 2, 5), threads, 0)) {
      EXPECT_EQ(grant.block, kNoBlock);
    }
  }
}

TEST(RunWithPoolTest, GivesOutEveryBlockThatIsFree) {
  lab::Random random;
  for (int threads = 1; threads <= 4; ++threads) {
    const std::size_t size = 7 * threads;
    std::vector<Step> steps(size + 2, kTake);
    for (Step& step : steps) step.seed = random.Next();
    const std::vector<Grant> grants = Grants(steps, threads, size);
    EXPECT_EQ(std::ranges::count(grants, kNoBlock, &Grant::block), 2)
        << "of " << size + 2 << " takes from " << size << " blocks, by " << threads << " threads";
  }
}

// The steps of two threads, one after the other for each.
struct Script {
  std::vector<Step> first;
  std::vector<Step> second;

  std::vector<Step> Steps(lab::Random& random) const {
    std::vector<Step> steps(2 * std::max(first.size(), second.size()));
    for (Step& step : steps) step.gives = 1;  // those of the shorter one
    for (std::size_t i = 0; i < first.size(); ++i) steps[2 * i] = first[i];
    for (std::size_t i = 0; i < second.size(); ++i) steps[2 * i + 1] = second[i];
    for (Step& step : steps) step.seed = random.Next();
    return steps;
  }
};

// The first thread takes and gives `before` times; then it has looked at block 0 and what lies
// below, and is held. Meanwhile the second one takes and gives `cycles` times, takes `taken`
// blocks, gives block 0 back and keeps the others. So block 0 is on top again, and another one
// below it.
void ChangeTheStackBehindItsBack(lab::Random& random, int before, int cycles, int taken) {
  SCOPED_TRACE("one thread is held in a pop after " + std::to_string(before) +
               " takes and gives; another one takes and gives " + std::to_string(cycles) +
               " times, takes " + std::to_string(taken) + " blocks and gives back the first");
  Script script;
  for (int i = 0; i < before; ++i) script.first.insert(script.first.end(), {kTake, kGive});
  script.first.insert(script.first.end(), {{0, 0, 0, 0, 5}, kTake, {0, 0, 1, 20, 0}});
  for (int i = 0; i < cycles; ++i) script.second.insert(script.second.end(), {kTake, kGive});
  script.second.insert(script.second.end(), taken, kTake);
  script.second.push_back(kGive);
  script.second[0].ask_rank = 1;
  script.second.push_back({0, 0, 1, 10, 0});
  const std::vector<Step> steps = script.Steps(random);
  const std::vector<Grant> grants = Grants(steps, 2, 6);
  if (testing::Test::HasFailure()) return;
  const std::size_t held = 4 * before;
  const std::size_t given = 2 * (2 * cycles + taken) + 1;
  EXPECT_EQ(grants[held].block, 0) << "taken by the thread that was held";
  EXPECT_EQ(grants[held + 2].block, taken) << "taken by that thread after it";
  EXPECT_LT(grants[given].turn, grants[held].turn)
      << "the other thread must go on while this one is held";
}

// ABA. Of a thread's first exchanges half fail spuriously; then it would look again. After 40
// changes a tag of 32 bits that is doubled has come to rest.
TEST(RunWithPoolTest, SeesThatTheStackHasChangedBehindItsBack) {
  lab::Random random;
  for (const int before : {0, 1, 2, 3, 4, 5, 20}) {
    for (const int taken : {2, 3}) {
      ChangeTheStackBehindItsBack(random, before, 0, taken);
      if (HasFailure()) return;
    }
  }
}

// 256 changes, after which a tag of 8 bits begins anew.
TEST(RunWithPoolTest, SeesThatTheStackHasChangedManyTimes) {
  lab::Random random;
  for (int before = 0; before < 4; ++before) ChangeTheStackBehindItsBack(random, before, 126, 3);
}

TEST(RunWithPoolTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    TakeAndGive(random, 60, 4, 2);
  });
}

void TimeCounter(std::size_t n, std::uint32_t rounds) {
  lab::RunTimedPairs([&](lab::Random& random) -> std::function<void()> {
    std::vector<Event> events = Events(random, lab::Scaled(n), 0);
    for (Event& event : events) event.rounds = rounds;
    return [events] { Count(events, TimedThreads()); };
  });
}

TEST(CountEventsParallel, CountsEventsOfMuchWork) { TimeCounter(160, 100'000); }

TEST(CountEventsTiming, CountsManySmallEvents) { TimeCounter(100'000, 30); }

// Takes and gives in turn, of as many blocks as there are threads.
void TimePool(std::size_t n, std::uint32_t rounds) {
  lab::RunTimedPairs([&](lab::Random& random) -> std::function<void()> {
    const auto threads = static_cast<std::size_t>(TimedThreads());
    std::vector<Step> steps = Steps(random, lab::Scaled(n), threads, 1, 0);
    for (Step& step : steps) step.rounds = rounds;
    return [steps, threads] { Grants(steps, static_cast<int>(threads), threads); };
  });
}

TEST(RunWithPoolParallel, TakesStepsOfMuchWork) { TimePool(160, 100'000); }

TEST(RunWithPoolTiming, TakesManySmallSteps) { TimePool(20'000, 200); }

}  // namespace
}  // namespace cpu_locks
