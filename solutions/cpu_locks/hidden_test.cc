// The hidden test of the lab "Locks from atomics", parts 1 to 3.

#include <gtest/gtest.h>

#include <algorithm>
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

std::vector<Job> Jobs(lab::Random& random, std::size_t n, std::uint32_t most_rounds,
                      std::uint32_t most_inside) {
  std::vector<Job> jobs(n);
  for (Job& job : jobs) {
    job = {random.Next(),
           random.Uniform<std::uint32_t>(0, most_rounds),
           random.Uniform<std::uint32_t>(0, most_inside),
           0,
           0,
           0};
  }
  return jobs;
}

class LocksTest : public testing::TestWithParam<const LockFunction*> {
 protected:
  lab::Random random;

  std::vector<Visit> Run(const std::vector<Job>& jobs, int threads) const {
    return Visits(*GetParam(), jobs, threads);
  }
};

TEST_P(LocksTest, DoesEveryJobOnceWhateverTheNumbers) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : {0, 1, 2, 7, 100}) Run(Jobs(random, n, 300, 300), threads);
  }
}

// Nobody leaves before all others are inside, too, or wait in vain.
TEST_P(LocksTest, LetsOneThreadInAtATime) {
  for (const int threads : {2, 3, 5}) {
    std::vector<Job> jobs = Jobs(random, threads + 1, 10, 10);
    for (Job& job : jobs) job.inside_rank = 1;
    const std::vector<Visit> visits = Run(jobs, threads);
    for (const Visit& visit : visits) EXPECT_EQ(visit.together, 1) << "threads inside";
  }
}

// A lock that lets two in, or does not order what they do, shows sooner or later: many short calls.
TEST_P(LocksTest, OrdersTheVisitsOfTwoThreads) {
  for (std::size_t call = 0; call < 100; ++call) {
    Run(Jobs(random, 6, 200, 200), 2);
    if (HasFailure()) return;
  }
}

// More visits than a ticket of 8 or 16 bits can count.
TEST_P(LocksTest, ServesManyVisits) { Run(Jobs(random, lab::Scaled(70'000), 0, 1), 2); }

TEST_P(LocksTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Run(Jobs(random, 60, 100, 20), 3);
  });
}

INSTANTIATE_TEST_SUITE_P(RunWithSpinLockTest, LocksTest, testing::Values(&run_with_spin_lock));
INSTANTIATE_TEST_SUITE_P(RunWithTicketLockTest, LocksTest, testing::Values(&run_with_ticket_lock));

// Two threads with one job each. Who comes first stays until the other one has paused for so many
// units: what that one did meanwhile.
Visit LongWait(lab::Random& random, std::uint64_t pauses) {
  std::vector<Job> jobs = Jobs(random, 2, 0, 0);
  for (Job& job : jobs) job.pauses = pauses;
  const std::vector<Visit> visits = Visits(run_with_spin_lock, jobs, 2);
  return visits[0].turn > visits[1].turn ? visits[0] : visits[1];
}

constexpr std::uint64_t kLongWait = 16'384;

TEST(RunWithSpinLockTest, OnlyReadsTheLockWhileItIsTaken) {
  lab::Random random;
  // One at its arrival and one when it saw the lock free; a weak exchange may fail spuriously twice
  // each time.
  EXPECT_LE(LongWait(random, kLongWait).writes, 6)
      << "writes to the lock by a thread that waited for " << kLongWait << " units";
}

TEST(RunWithSpinLockTest, PausesForLongerAndLonger) {
  lab::Random random;
  const Visit visit = LongWait(random, kLongWait);
  ASSERT_GT(visit.looks, 0) << "calls of lab::Relax() by a thread that waited";
  // Up to 1024 and half of it at random: 400. Pauses that grow by 2 each time: 130.
  EXPECT_GE(visit.units / visit.looks, 256)
      << "units of a pause, on average, of " << visit.looks << " pauses of a thread that waited";
  EXPECT_LE(visit.units / visit.looks, 4096) << "units of a pause, on average";
}

// A wait that has just begun: k pauses that begin at 16 and double are less than 16 * 2^k together.
TEST(RunWithSpinLockTest, PausesShortlyAtFirst) {
  lab::Random random;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const Visit visit = LongWait(random, 1);
    ASSERT_GT(visit.looks, 0) << "calls of lab::Relax() by a thread that waited";
    EXPECT_LT(visit.units, std::uint64_t{16} << std::min<std::uint64_t>(visit.looks, 40))
        << "units of the first " << visit.looks << " pauses together";
  }
}

// Thread i comes when all before it in a random order are inside or wait.
TEST(RunWithTicketLockTest, ServesWhoCameFirstFirst) {
  lab::Random random;
  for (const int threads : {2, 3, 5}) {
    std::vector<std::uint32_t> place(threads);
    std::iota(place.begin(), place.end(), 0);
    random.Shuffle(std::span(place));
    std::vector<Job> jobs = Jobs(random, threads, 10, 10);
    for (int t = 0; t < threads; ++t) {
      jobs[t].ask_rank = place[t] + 1;
      jobs[t].inside_rank = 1000;
    }
    const std::vector<Visit> visits = Visits(run_with_ticket_lock, jobs, threads);
    for (int t = 0; t < threads; ++t) {
      EXPECT_EQ(visits[t].turn - kBefore.visits, place[t])
          << "threads that were inside before thread " << t << ", which came after " << place[t];
    }
  }
}

// Each thread comes again before any that waits has been inside.
TEST(RunWithTicketLockTest, SendsWhoComesAgainToTheEnd) {
  lab::Random random;
  constexpr int kThreads = 3;
  std::vector<Job> jobs = Jobs(random, 2 * kThreads, 10, 10);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].ask_rank = static_cast<std::uint32_t>(i + 1);
    jobs[i].inside_rank = 1000;
  }
  const std::vector<Visit> visits = Visits(run_with_ticket_lock, jobs, kThreads);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(visits[i].turn - kBefore.visits, i) << "visits before that of job " << i;
  }
}

std::vector<Order> Orders(lab::Random& random, std::size_t n, std::uint32_t most_rounds) {
  std::vector<Order> orders(n);
  for (Order& order : orders) {
    order = {random.Next(), random.Uniform<std::uint32_t>(0, most_rounds),
             random.Uniform<std::uint32_t>(0, most_rounds), 0, 0};
  }
  return orders;
}

TEST(RunThroughRingTest, HandsOnEveryItemWhateverTheNumbers) {
  lab::Random random;
  for (int pairs = 1; pairs <= 4; ++pairs) {
    for (const std::size_t n : {0, 1, 2, 7, 100}) {
      for (const std::size_t capacity : {1, 2, 3, 8}) {
        Deliver(Orders(random, n, 100), pairs, capacity);
      }
    }
  }
}

TEST(RunThroughRingTest, HasMoreRoomThanItems) {
  lab::Random random;
  Deliver(Orders(random, 30, 100), 2, 100);
}

// The consumer uses each item only when the producer waits for room.
TEST(RunThroughRingTest, FillsEverySlot) {
  lab::Random random;
  for (const std::size_t capacity : {1, 2, 3, 6}) {
    std::vector<Order> orders = Orders(random, capacity + 3, 10);
    for (Order& order : orders) order.use_rank = 1;
    const std::vector<Use> uses = Deliver(orders, 1, capacity);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      const auto put = std::ranges::count_if(
          uses, [&](const Use& use) { return use.put_turn < uses[i].use_turn; });
      EXPECT_EQ(put, std::min(uses.size(), i + 1 + capacity))
          << "items that had been put when item " << i << " was used, with " << capacity
          << " slots";
    }
  }
}

// The producer makes each item only when the consumer waits for it.
TEST(RunThroughRingTest, WaitsForEachItemOfAnEmptyRing) {
  lab::Random random;
  for (const std::size_t capacity : {1, 2, 5}) {
    std::vector<Order> orders = Orders(random, 6, 10);
    for (std::size_t i = 0; i < orders.size(); ++i) orders[i].make_rank = 1;
    const std::vector<Use> uses = Deliver(orders, 1, capacity);
    for (std::size_t i = 1; i < uses.size(); ++i) {
      EXPECT_LT(uses[i - 1].use_turn, uses[i].put_turn)
          << "item " << i - 1 << " is used before item " << i << " is put";
    }
  }
}

// More items than an index of 8 or 16 bits can count, in rings whose size is no power of two.
TEST(RunThroughRingTest, GoesRoundItsRingManyTimes) {
  lab::Random random;
  for (const std::size_t capacity : {3, 7}) {
    Deliver(Orders(random, lab::Scaled(70'000), 0), 1, capacity);
  }
}

// Of a ring of one slot each item is taken out before the next one is put in: many short calls.
TEST(RunThroughRingTest, OrdersWhatBothDoToASlot) {
  lab::Random random;
  for (std::size_t call = 0; call < 100; ++call) {
    Deliver(Orders(random, 8, 100), 1, 1 + call % 2);
    if (HasFailure()) return;
  }
}

TEST(RunThroughRingTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Deliver(Orders(random, 50, 100), 2, 3);
  });
}

// `rounds` of work outside the lock for each job, `inside` within.
void TimeLock(const LockFunction& run, std::size_t n, std::uint32_t rounds, std::uint32_t inside) {
  lab::RunTimedPairs([&](lab::Random& random) -> std::function<void()> {
    std::vector<Job> jobs = Jobs(random, lab::Scaled(n), 0, 0);
    for (Job& job : jobs) {
      job.rounds = rounds;
      job.inside_rounds = inside;
    }
    return [&run, jobs] { Visits(run, jobs, TimedThreads()); };
  });
}

TEST(RunWithSpinLockParallel, DoesLargeJobs) { TimeLock(run_with_spin_lock, 160, 100'000, 100); }

TEST(RunWithSpinLockTiming, DoesManySmallJobs) { TimeLock(run_with_spin_lock, 8000, 500, 20); }

TEST(RunWithTicketLockParallel, DoesLargeJobs) {
  TimeLock(run_with_ticket_lock, 160, 100'000, 100);
}

TEST(RunWithTicketLockTiming, DoesManySmallJobs) { TimeLock(run_with_ticket_lock, 4000, 500, 20); }

void TimeRing(std::size_t n, std::uint32_t rounds, std::size_t capacity) {
  lab::RunTimedPairs([&](lab::Random& random) -> std::function<void()> {
    std::vector<Order> orders = Orders(random, lab::Scaled(n), 0);
    for (Order& order : orders) order.make_rounds = order.use_rounds = rounds;
    return [orders, capacity] { Deliver(orders, std::max(1, TimedThreads() / 2), capacity); };
  });
}

TEST(RunThroughRingParallel, MakesAndUsesLargeItems) { TimeRing(96, 100'000, 16); }

TEST(RunThroughRingTiming, HandsOnManySmallItems) { TimeRing(8000, 500, 64); }

}  // namespace
}  // namespace cpu_locks
