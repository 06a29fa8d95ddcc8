// The hidden test of the lab "Waiting with pthreads", parts 1 to 3.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/pthreads_sync/hidden_checks.h"

namespace pthreads_sync {
namespace {

std::vector<Order> Orders(lab::Random& random, std::size_t n, std::uint32_t most_rounds) {
  std::vector<Order> orders(n);
  for (Order& order : orders) {
    order = {random.Next(), random.Uniform<std::uint32_t>(0, most_rounds),
             random.Uniform<std::uint32_t>(0, most_rounds), 0, 0};
  }
  return orders;
}

TEST(RunPipelineTest, ReturnsWhenThereIsNoOrder) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) Pipe({}, {threads, threads, 1});
}

// Each item is made only when all consumers wait for it, so a wait that ends without a signal must
// not take what is not there.
TEST(RunPipelineTest, WaitsForEachItemOfAnEmptyBuffer) {
  lab::Random random;
  for (int consumers = 1; consumers <= 4; ++consumers) {
    std::vector<Order> orders = Orders(random, 6, 10);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      orders[i].make_rank = static_cast<std::uint32_t>(i + 1);
    }
    Pipe(orders, {1, consumers, 2});
  }
}

// The consumer goes on only when all producers wait for room.
TEST(RunPipelineTest, WaitsForRoomInAFullBuffer) {
  lab::Random random;
  for (int producers = 1; producers <= 4; ++producers) {
    for (std::size_t capacity = 1; capacity <= 3; ++capacity) {
      std::vector<Order> orders = Orders(random, 8, 10);
      for (Order& order : orders) order.use_rank = 1;
      const std::vector<Visit> uses = Pipe(orders, {producers, 1, capacity});
      EXPECT_EQ(Together(uses), std::vector<std::uint64_t>(8, 1));
    }
  }
}

// All consumers sleep; then a single producer puts in an item for each of them, without a pause.
TEST(RunPipelineTest, WakesAConsumerForEveryItem) {
  lab::Random random;
  for (int consumers = 2; consumers <= kMaxThreads; ++consumers) {
    std::vector<Order> orders = Orders(random, consumers, 0);
    for (Order& order : orders) order.use_rank = 2;
    orders[0].make_rank = 1;
    const std::vector<Visit> uses = Pipe(orders, {1, consumers, 2});
    EXPECT_EQ(Together(uses), std::vector<std::uint64_t>(consumers, consumers))
        << "consumers at work at the same time, of " << consumers << " that slept";
  }
}

TEST(RunPipelineTest, EndsAllConsumersAfterTheLastItem) {
  lab::Random random;
  for (int consumers = 1; consumers <= kMaxThreads; ++consumers) {
    std::vector<Order> orders = Orders(random, 1, 10);
    orders[0].make_rank = 1;
    Pipe(orders, {kMaxThreads, consumers, 1});
  }
}

TEST(RunPipelineTest, HandsOnEveryItemOnceWhateverTheNumbers) {
  lab::Random random;
  for (int producers = 1; producers <= 5; ++producers) {
    for (int consumers = 1; consumers <= 5; ++consumers) {
      for (const std::size_t n : {1, 2, 7, 100}) {
        Pipe(Orders(random, n, 100), {producers, consumers, random.UniformInt<std::size_t>(1, 4)});
      }
    }
  }
}

TEST(RunPipelineTest, HasMoreRoomThanItems) {
  lab::Random random;
  Pipe(Orders(random, 30, 100), {3, 2, 100});
}

TEST(RunPipelineTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Pipe(Orders(random, 50, 100), {2, 2, 3});
  });
}

std::vector<Job> Jobs(lab::Random& random, std::size_t n, std::uint32_t most_rounds) {
  std::vector<Job> jobs(n);
  for (Job& job : jobs) job = {random.Next(), random.Uniform<std::uint32_t>(0, most_rounds), 0};
  return jobs;
}

// Each thread has one job, and nobody leaves before all others sleep: so they come in waves, and
// each wave uses all permits.
TEST(RunWithPermitsTest, LetsAsManyWorkAtATimeAsThereArePermits) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (int permits = 1; permits <= threads + 1; ++permits) {
      std::vector<Job> jobs = Jobs(random, threads, 10);
      for (Job& job : jobs) job.rank = 1;
      std::vector<std::uint64_t> together = Together(Permit(jobs, permits, threads));
      std::ranges::sort(together);
      std::vector<std::uint64_t> want(threads % permits, threads % permits);
      want.resize(threads, permits);
      EXPECT_EQ(together, want) << "threads at work, with permits = " << permits
                                << ", num_threads = " << threads;
    }
  }
}

// One leaves at a time, and another one comes in. A thread that is being woken may look asleep for
// a moment, so that the schedule goes on without it: several attempts, one of which must succeed.
TEST(RunWithPermitsTest, GivesAPermitOnWhenOneIsGivenBack) {
  lab::Random random;
  constexpr int kThreads = 6;
  constexpr int kAttempts = 5;
  for (int permits = 1; permits < kThreads; ++permits) {
    std::ptrdiff_t most = 0;
    const std::ptrdiff_t wanted = 2 * kThreads - permits + 1;
    for (int attempt = 0; attempt < kAttempts && most != wanted; ++attempt) {
      std::vector<Job> jobs = Jobs(random, 2 * kThreads, 10);
      for (std::size_t i = 0; i < jobs.size(); ++i)
        jobs[i].rank = static_cast<std::uint32_t>(i + 1);
      const std::vector<std::uint64_t> together = Together(Permit(jobs, permits, kThreads));
      most = std::max<std::ptrdiff_t>(most, std::ranges::count(together, permits));
    }
    EXPECT_EQ(most, wanted) << "times that all " << permits << " permits were in use";
  }
}

TEST(RunWithPermitsTest, DoesEveryJobOnceWhateverTheNumbers) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : {0, 1, 5, 64, 201}) {
      Permit(Jobs(random, n, 100), random.UniformInt(1, threads + 2), threads);
    }
  }
}

// One thread gives back the only permit, and no other will come, while another is about to fall
// asleep. Work of all lengths, so that some call meets the moment.
TEST(RunWithPermitsTest, LosesNoWakeUp) {
  lab::Random random;
  for (std::size_t call = 0; call < lab::Scaled(600); ++call) {
    std::vector<Job> jobs = Jobs(random, 2, 20'000);
    Permit(jobs, 1, 2);
    if (HasFailure()) return;
  }
}

TEST(RunWithPermitsTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Permit(Jobs(random, 60, 100), 2, 4);
  });
}

std::vector<std::uint64_t> Cells(lab::Random& random, std::size_t n) {
  std::vector<std::uint64_t> cells(n);
  for (std::uint64_t& cell : cells) cell = random.Next();
  return cells;
}

std::vector<std::uint64_t> After(std::vector<std::uint64_t> cells, std::size_t steps,
                                 std::uint32_t rounds) {
  const std::size_t n = cells.size();
  std::vector<std::uint64_t> next(n);
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = NextCell(cells[(i + n - 1) % n], cells[i], cells[(i + 1) % n], rounds);
    }
    cells.swap(next);
  }
  return cells;
}

void Step(const std::vector<std::uint64_t>& before, std::size_t steps, std::uint32_t rounds,
          int threads) {
  std::vector<std::uint64_t> cells = before;
  run_steps(cells, steps, rounds, threads);
  EXPECT_EQ(cells, After(before, steps, rounds))
      << "with n = " << before.size() << ", steps = " << steps << ", num_threads = " << threads;
}

TEST(RunStepsTest, TakesAnyNumberOfStepsWithAnyShares) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : {0, 1, 2, 3, 8, 9, 31}) {
      for (const std::size_t steps : {0, 1, 2, 5}) Step(Cells(random, n), steps, 3, threads);
    }
  }
}

// Many steps with little work: a thread that is woken late meets one that has come round again.
TEST(RunStepsTest, UsesItsBarrierAgainAndAgain) {
  lab::Random random;
  for (const int threads : {2, 3, 5, kMaxThreads}) {
    Step(Cells(random, 16), lab::Scaled(2000), 1, threads);
  }
}

TEST(RunStepsTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Step(Cells(random, 12), 20, 5, 3);
  });
}

TEST(RunPipelineParallel, MakesAndUsesLargeItems) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    std::vector<Order> orders = Orders(random, lab::Scaled(96), 0);
    for (Order& order : orders) order.make_rounds = order.use_rounds = 100'000;
    return [orders] {
      const int half = std::max(1, TimedThreads() / 2);
      Pipe(orders, {half, half, 16});
    };
  });
}

TEST(RunPipelineTiming, HandsOnManySmallItems) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [orders = Orders(random, lab::Scaled(4000), 1000)] { Pipe(orders, {2, 2, 16}); };
  });
}

TEST(RunWithPermitsParallel, DoesLargeJobs) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    std::vector<Job> jobs = Jobs(random, lab::Scaled(160), 0);
    for (Job& job : jobs) job.rounds = 100'000;
    // Twice as many threads as permits: however they take turns, all permits are in use.
    return [jobs] { Permit(jobs, TimedThreads(), 2 * TimedThreads()); };
  });
}

TEST(RunWithPermitsTiming, DoesManySmallJobs) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [jobs = Jobs(random, lab::Scaled(4000), 1000)] { Permit(jobs, 2, TimedThreads()); };
  });
}

TEST(RunStepsParallel, TakesStepsOfMuchWork) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [cells = Cells(random, 32)] { Step(cells, lab::Scaled(6), 100'000, TimedThreads()); };
  });
}

TEST(RunStepsTiming, TakesManySmallSteps) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [cells = Cells(random, 16)] { Step(cells, lab::Scaled(500), 200, TimedThreads()); };
  });
}

}  // namespace
}  // namespace pthreads_sync
