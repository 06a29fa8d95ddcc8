// The public test: a few simple cases for each part. The grader tests more; locks.h says what.

#include "labs/cpu_locks/locks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "common/lab/function.h"
#include "common/lab/poison.h"
#include "common/lab/show_parallelism.h"
#include "common/lab/sizes.h"

namespace {

using LockFunction = lab::Function<decltype(RunWithSpinLock)>;
const LockFunction run_with_spin_lock{"RunWithSpinLock"};
const LockFunction run_with_ticket_lock{"RunWithTicketLock"};
const lab::Function<decltype(RunThroughRing)> run_through_ring{"RunThroughRing"};
const lab::Function<decltype(CountEvents)> count_events{"CountEvents"};
const lab::Function<decltype(RunWithPool)> run_with_pool{"RunWithPool"};

// Checks that visits were one at a time: each found what the one before it had left.
std::vector<Visit> Visits(const LockFunction& run, const std::vector<Job>& jobs, int threads) {
  std::vector<Ledger> ledger(1);
  std::vector<Visit> visits = lab::Poisoned<Visit>(jobs.size());
  run(jobs, threads, ledger, visits);
  std::vector<std::size_t> job_of(jobs.size(), jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (visits[i].turn < jobs.size()) job_of[visits[i].turn] = i;
  }
  std::uint64_t value = 0;
  for (std::size_t turn = 0; turn < jobs.size(); ++turn) {
    const std::size_t i = job_of[turn];
    if (i == jobs.size()) {
      ADD_FAILURE() << "no visit has the turn " << turn << ": two threads were inside";
      break;
    }
    value = Mix(value + Mix(jobs[i].seed, jobs[i].rounds), jobs[i].inside_rounds);
    EXPECT_EQ(visits[i].value, value) << "visits[" << i << "].value";
  }
  EXPECT_EQ(ledger[0].visits, jobs.size());
  return visits;
}

void DoJobs(const LockFunction& run) {
  std::vector<Job> jobs;
  for (std::uint64_t i = 0; i < 100; ++i) jobs.push_back({i, 50, 50, 0, 0, 0});
  for (int threads = 1; threads <= 4; ++threads) Visits(run, jobs, threads);
}

// Nobody leaves before all others wait: with a lock that works one is inside.
void LetInOneAtATime(const LockFunction& run) {
  for (const Visit& visit : Visits(run, std::vector<Job>(4, {1, 1, 1, 0, 1, 0}), 4)) {
    EXPECT_EQ(visit.together, 1) << "threads that are inside together";
  }
}

TEST(RunWithSpinLockTest, DoesEveryJob) { DoJobs(run_with_spin_lock); }

TEST(RunWithSpinLockTest, LetsOneThreadInAtATime) { LetInOneAtATime(run_with_spin_lock); }

// Who comes first stays inside until the other one has paused for 16,384 units.
TEST(RunWithSpinLockTest, ReadsTheLockRarelyAndWritesItHardlyEverWhileItIsTaken) {
  const std::vector<Visit> visits =
      Visits(run_with_spin_lock, std::vector<Job>(2, {1, 1, 1, 0, 0, 16'384}), 2);
  const Visit& late = visits[0].turn > visits[1].turn ? visits[0] : visits[1];
  ASSERT_GT(late.looks, 0) << "calls of lab::Relax()";
  EXPECT_GE(late.units / late.looks, 256) << "units of a pause, on average: do they double?";
  EXPECT_LE(late.writes, 6) << "writes to the lock: do threads test it before they set it?";
}

TEST(RunWithTicketLockTest, DoesEveryJob) { DoJobs(run_with_ticket_lock); }

TEST(RunWithTicketLockTest, LetsOneThreadInAtATime) { LetInOneAtATime(run_with_ticket_lock); }

// Thread 2 comes first, then 0, then 1; nobody leaves before all have come.
TEST(RunWithTicketLockTest, ServesWhoCameFirstFirst) {
  const std::vector<Job> jobs{{1, 1, 1, 2, 9, 0}, {1, 1, 1, 3, 9, 0}, {1, 1, 1, 1, 9, 0}};
  const std::vector<Visit> visits = Visits(run_with_ticket_lock, jobs, 3);
  EXPECT_EQ(visits[2].turn, 0) << "the turn of thread 2";
  EXPECT_EQ(visits[0].turn, 1) << "the turn of thread 0";
  EXPECT_EQ(visits[1].turn, 2) << "the turn of thread 1";
}

std::vector<Use> Deliver(const std::vector<Order>& orders, int pairs, std::size_t capacity) {
  std::vector<Item> slots = lab::Poisoned<Item>(pairs * capacity);
  std::vector<Use> uses = lab::Poisoned<Use>(orders.size());
  run_through_ring(orders, pairs, slots, uses);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const std::uint64_t made = Mix(orders[i].seed, orders[i].make_rounds);
    EXPECT_EQ(uses[i].value, Mix(made, orders[i].use_rounds)) << "uses[" << i << "]";
  }
  return uses;
}

TEST(RunThroughRingTest, HandsOnEveryItem) {
  std::vector<Order> orders;
  for (std::uint64_t i = 0; i < 100; ++i) orders.push_back({i, 10, 20, 0, 0});
  for (int pairs = 1; pairs <= 3; ++pairs) Deliver(orders, pairs, 3);
}

// The consumer uses the first item when the producer waits for room.
TEST(RunThroughRingTest, FillsEverySlot) {
  std::vector<Order> orders(8, {1, 1, 1, 0, 0});
  orders[0].use_rank = 1;
  const std::vector<Use> uses = Deliver(orders, 1, 3);
  EXPECT_EQ(
      std::ranges::count_if(uses, [&](const Use& use) { return use.put_turn < uses[0].use_turn; }),
      4)
      << "items that were put before the first was used: that one, and three in the slots";
}

std::vector<Receipt> Count(const std::vector<Event>& events, int threads) {
  std::vector<Receipt> receipts = lab::Poisoned<Receipt>(events.size());
  std::uint64_t want = 0;
  for (const Event& event : events) want += Mix(event.seed, event.rounds) % 1000;
  EXPECT_EQ(count_events(events, threads, receipts), want);
  return receipts;
}

TEST(CountEventsTest, CountsEveryEvent) {
  std::vector<Event> events;
  for (std::uint64_t i = 0; i < 100; ++i) events.push_back({i, 10, 0});
  for (int threads = 1; threads <= 4; ++threads) Count(events, threads);
}

TEST(CountEventsTest, GivesEachThreadACacheLineOfItsOwn) {
  std::set<std::uint64_t> lines;
  for (const Receipt& receipt : Count(std::vector<Event>(4, {1, 1, 0}), 4)) {
    EXPECT_EQ(receipt.writes, 1) << "writes to a lab::Atomic for one event";
    lines.insert(receipt.line);
  }
  EXPECT_EQ(lines.size(), 4) << "cache lines that four threads wrote to";
}

// All four have counted when the first of them reads.
TEST(CountEventsTest, ReadsWhatAllHaveCounted) {
  const std::vector<Event> events{{1, 1, 4}, {2, 1, 3}, {3, 1, 2}, {4, 1, 1}};
  std::uint64_t want = 0;
  for (const Event& event : events) want += Mix(event.seed, event.rounds) % 1000;
  for (const Receipt& receipt : Count(events, 4)) EXPECT_EQ(receipt.total, want);
}

std::vector<Grant> Grants(const std::vector<Step>& steps, int threads, std::size_t size) {
  std::vector<Block> blocks(size);
  std::vector<Grant> grants = lab::Poisoned<Grant>(steps.size());
  run_with_pool(steps, threads, blocks, grants);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(grants[i].owners, 0) << "grants[" << i << "].owners beside the thread";
  }
  return grants;
}

TEST(RunWithPoolTest, TakesTheBlockThatWasGivenLast) {
  const Step take{1, 1, 0, 0, 0};
  const Step give{1, 1, 1, 0, 0};
  const std::vector<std::uint32_t> want{0, 1, 0, 0, 2, kNoBlock, 1};
  const std::vector<Grant> grants = Grants({take, take, give, take, take, take, give}, 1, 3);
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(grants[i].block, want[i]) << "grants[" << i << "].block";
  }
}

TEST(RunWithPoolTest, GivesABlockToOneOwner) {
  std::vector<Step> steps;
  for (std::uint32_t i = 0; i < 400; ++i) steps.push_back({i, 10, i / 4 % 2, 0, 0});
  for (const Grant& grant : Grants(steps, 4, 4)) EXPECT_NE(grant.block, kNoBlock);
}

// ABA: thread 0 has seen block 0 on top and block 1 below, and is held. Thread 1 takes both and
// gives block 0 back. Thread 0 must get block 0, and then 2: block 1 is not free.
TEST(RunWithPoolTest, SeesThatTheStackHasChangedBehindItsBack) {
  const std::vector<Step> steps{{1, 1, 0, 0, 5}, {1, 1, 0, 1, 0}, {1, 1, 0, 0, 0}, {1, 1, 0, 0, 0},
                                {1, 1, 0, 9, 0}, {1, 1, 1, 0, 0}, {1, 1, 0, 9, 0}, {1, 1, 0, 8, 0}};
  const std::vector<Grant> grants = Grants(steps, 2, 5);
  EXPECT_EQ(grants[0].block, 0) << "the first block of thread 0";
  EXPECT_EQ(grants[2].block, 2) << "the second block of thread 0";
}

// What the grader looks at beside right answers: see "The parts" in README.md. These calls are
// measured with all that happens in them, so the values are checked above.

void ShowLock(const LockFunction& run) {
  const std::vector<Job> jobs(lab::Scaled(96), {1, 100'000, 100, 0, 0, 0});
  lab::ShowParallelism([&](int team) {
    std::vector<Ledger> ledger(1);
    std::vector<Visit> visits(jobs.size());
    run(jobs, team, ledger, visits);
    EXPECT_EQ(ledger[0].visits, jobs.size());
  });
}

TEST(RunWithSpinLockTest, ShowsHowParallelItIs) { ShowLock(run_with_spin_lock); }

TEST(RunWithTicketLockTest, ShowsHowParallelItIs) { ShowLock(run_with_ticket_lock); }

TEST(RunThroughRingTest, ShowsHowParallelItIs) {
  const std::vector<Order> orders(lab::Scaled(64), {1, 100'000, 100'000, 0, 0});
  const std::uint64_t want = Mix(Mix(1, 100'000), 100'000);
  lab::ShowParallelism([&](int team) {
    const int pairs = std::max(1, team / 2);
    std::vector<Item> slots(16 * pairs);
    std::vector<Use> uses(orders.size());
    run_through_ring(orders, pairs, slots, uses);
    EXPECT_EQ(std::ranges::count(uses, want, &Use::value), orders.size());
  });
}

TEST(CountEventsTest, ShowsHowParallelItIs) {
  const std::vector<Event> events(lab::Scaled(96), {1, 100'000, 0});
  const std::uint64_t want = Mix(1, 100'000) % 1000 * events.size();
  lab::ShowParallelism([&](int team) {
    std::vector<Receipt> receipts(events.size());
    EXPECT_EQ(count_events(events, team, receipts), want);
  });
}

TEST(RunWithPoolTest, ShowsHowParallelItIs) {
  lab::ShowParallelism([&](int team) {
    std::vector<Step> steps(lab::Scaled(96), {1, 100'000, 0, 0, 0});
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].gives = i / team % 2;
    Grants(steps, team, team);
  });
}

}  // namespace
