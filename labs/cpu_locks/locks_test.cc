// The public test: a few simple cases for each part. The grader tests more; locks.h says what.

#include "labs/cpu_locks/locks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

using LockFunction = lab::Function<decltype(RunWithSpinLock)>;
const LockFunction run_with_spin_lock{"RunWithSpinLock"};
const LockFunction run_with_ticket_lock{"RunWithTicketLock"};
const lab::Function<decltype(RunThroughRing)> run_through_ring{"RunThroughRing"};
const lab::Function<decltype(CountEvents)> count_events{"CountEvents"};
const lab::Function<decltype(RunWithPool)> run_with_pool{"RunWithPool"};

// Checks that visits were one at a time: each found what the one before it had left. Counts turns
// from the visits that the ledger had before the call.
std::vector<Visit> Visits(const LockFunction& run, const std::vector<Job>& jobs, int threads) {
  constexpr Ledger kBefore{2000, 9};
  SCOPED_TRACE(std::to_string(jobs.size()) + " jobs, num_threads = " + std::to_string(threads));
  std::vector<Ledger> ledger{kBefore};
  std::vector<Visit> visits = lab::Poisoned<Visit>(jobs.size());
  run(jobs, threads, ledger, visits);
  for (Visit& visit : visits) visit.turn -= kBefore.visits;
  std::vector<std::size_t> job_of(jobs.size(), jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (visits[i].turn < jobs.size()) job_of[visits[i].turn] = i;
  }
  std::uint64_t value = kBefore.value;
  for (std::size_t turn = 0; turn < jobs.size(); ++turn) {
    const std::size_t i = job_of[turn];
    if (i == jobs.size()) {
      ADD_FAILURE() << "no visit has the turn " << turn
                    << ": two threads were inside, or the ledger's contents were not kept";
      break;
    }
    value = Mix(value + Mix(jobs[i].seed, jobs[i].rounds), jobs[i].inside_rounds);
    EXPECT_EQ(visits[i].value, value) << "visits[" << i << "].value";
    if (visits[i].value != value) break;  // all that follow are wrong, too
  }
  EXPECT_EQ(ledger[0].visits, kBefore.visits + jobs.size()) << "ledger[0].visits";
  return visits;
}

void DoJobs(const LockFunction& run) {
  std::vector<Job> jobs;
  for (std::uint64_t i = 0; i < 100; ++i) jobs.push_back({i, 50, 50, 0, 0, 0});
  for (int threads = 1; threads <= 4; ++threads) Visits(run, jobs, threads);
  jobs.resize(2);
  Visits(run, jobs, 3);
  Visits(run, {}, 2);
}

// Nobody leaves before all others wait: with a lock that works one is inside.
void LetInOneAtATime(const LockFunction& run) {
  for (const Visit& visit : Visits(run, std::vector<Job>(4, {1, 1, 1, 0, 1, 0}), 4)) {
    EXPECT_EQ(visit.together, 1) << "threads that are inside together";
  }
}

// One thread after the other asks for the lock, visits the ledger and leaves: 0, 1, 2, then 2, 1,
// 0. While one is inside, the others are held where they ask, if they have a job left.
void AskAfterTheCheckpoint(const LockFunction& run) {
  const std::vector<std::size_t> order{0, 1, 2, 5, 4, 3};
  const std::vector<std::uint64_t> held{3, 3, 3, 3, 2, 1};
  std::vector<Job> jobs(order.size(), {1, 1, 1, 0, 0, 0});
  for (std::uint32_t turn = 0; turn < order.size(); ++turn) {
    jobs[order[turn]].ask_rank = 2 * turn + 1;
    jobs[order[turn]].inside_rank = 2 * turn + 2;
  }
  const std::vector<Visit> visits = Visits(run, jobs, 3);
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    const Visit& visit = visits[order[turn]];
    const std::string which = "visits[" + std::to_string(order[turn]) + "]";
    ASSERT_EQ(visit.turn, turn) << which << ".turn: does each thread call "
                                << "lab::Checkpoint(ask_rank) before it asks for the lock?";
    ASSERT_EQ(visit.together, held[turn])
        << which << ".together: threads held while this one was inside. With fewer, one waits for "
        << "the lock: is lab::Checkpoint(ask_rank) called by a thread that has the lock?";
  }
}

TEST(RunWithSpinLockTest, DoesEveryJob) { DoJobs(run_with_spin_lock); }

TEST(RunWithSpinLockTest, LetsOneThreadInAtATime) { LetInOneAtATime(run_with_spin_lock); }

TEST(RunWithSpinLockTest, AsksForTheLockAfterTheCheckpoint) {
  AskAfterTheCheckpoint(run_with_spin_lock);
}

// Who comes first stays inside until the other one has paused for 16,384 units.
TEST(RunWithSpinLockTest, ReadsTheLockRarelyAndWritesItHardlyEverWhileItIsTaken) {
  const std::vector<Visit> visits =
      Visits(run_with_spin_lock, std::vector<Job>(2, {1, 1, 1, 0, 0, 16'384}), 2);
  const Visit& late = visits[0].turn > visits[1].turn ? visits[0] : visits[1];
  ASSERT_GT(late.looks, 0) << "calls of lab::Relax()";
  EXPECT_GE(late.units / late.looks, 256) << "units of a pause, on average: do they double?";
  EXPECT_LE(late.writes, 6) << "writes to the lock: do threads test it before they set it?";
}

// Two threads wait for each other in turn. Pauses that begin at 16 or fewer units and double are, k
// of them together, less than 16 * 2^k. Their own work keeps them from coming again at once.
TEST(RunWithSpinLockTest, BeginsEachWaitWithAShortPause) {
  const std::vector<Visit> visits =
      Visits(run_with_spin_lock, std::vector<Job>(8, {1, 500'000, 1, 0, 0, 3000}), 2);
  for (const Visit& visit : visits) {
    ASSERT_LE(visit.units, 16 * ((1ULL << std::min<std::uint64_t>(visit.looks, 40)) - 1))
        << "units of a wait of " << visit.looks << " pauses: does each wait begin with 16 or fewer "
        << "units, and does each pause at most double the one before?";
  }
}

TEST(RunWithTicketLockTest, DoesEveryJob) { DoJobs(run_with_ticket_lock); }

TEST(RunWithTicketLockTest, LetsOneThreadInAtATime) { LetInOneAtATime(run_with_ticket_lock); }

TEST(RunWithTicketLockTest, AsksForTheLockAfterTheCheckpoint) {
  AskAfterTheCheckpoint(run_with_ticket_lock);
}

// Thread 2 comes first, then 0, then 1; nobody leaves before all have come.
TEST(RunWithTicketLockTest, ServesWhoCameFirstFirst) {
  const std::vector<Job> jobs{{1, 1, 1, 2, 9, 0}, {1, 1, 1, 3, 9, 0}, {1, 1, 1, 1, 9, 0}};
  const std::vector<Visit> visits = Visits(run_with_ticket_lock, jobs, 3);
  EXPECT_EQ(visits[2].turn, 0) << "the turn of thread 2";
  EXPECT_EQ(visits[0].turn, 1) << "the turn of thread 0";
  EXPECT_EQ(visits[1].turn, 2) << "the turn of thread 1";
}

// A count of 16 bits begins anew after 65,536. If only one of the two does, the call never ends.
TEST(RunWithTicketLockTest, ServesMoreVisitsThan16BitsCount) {
  Visits(run_with_ticket_lock, std::vector<Job>(lab::Scaled(66'000), {1, 0, 1, 0, 0, 0}), 2);
}

std::vector<Use> Deliver(const std::vector<Order>& orders, int pairs, std::size_t capacity) {
  SCOPED_TRACE(std::to_string(orders.size()) + " orders, pairs = " + std::to_string(pairs) + ", " +
               std::to_string(capacity) + " slots each");
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
  Deliver(orders, 2, 1);
  orders.resize(2);
  Deliver(orders, 3, 4);
  Deliver({}, 2, 2);
}

// A position of 16 bits begins anew after 65,536, which 5 does not divide.
TEST(RunThroughRingTest, HandsOnMoreItemsThan16BitsCount) {
  Deliver(std::vector<Order>(lab::Scaled(66'000), {1, 0, 1, 0, 0}), 1, 5);
}

// The producer makes an item only when the consumer waits for it.
TEST(RunThroughRingTest, UsesEachItemBeforeTheNextOneIsMade) {
  const std::vector<Use> uses = Deliver(std::vector<Order>(5, {1, 1, 1, 1, 0}), 1, 4);
  for (std::size_t i = 1; i < uses.size(); ++i) {
    EXPECT_LT(uses[i - 1].use_turn, uses[i].put_turn)
        << "item " << i - 1 << " must be used before item " << i << " is put: does the producer "
        << "call lab::Checkpoint(make_rank), and the consumer take what is there?";
  }
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
  SCOPED_TRACE(std::to_string(events.size()) + " events, num_threads = " + std::to_string(threads));
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
  events.resize(2);
  Count(events, 3);
  Count({}, 2);
}

// Nine structs of 56 bytes or less do not reach over nine lines.
TEST(CountEventsTest, GivesEachThreadACacheLineOfItsOwn) {
  constexpr std::size_t kThreads = 9;
  std::set<std::uint64_t> lines;
  for (const Receipt& receipt : Count(std::vector<Event>(3 * kThreads, {1, 1, 0}), kThreads)) {
    EXPECT_EQ(receipt.writes, 1) << "writes to a lab::Atomic for one event";
    lines.insert(receipt.line);
  }
  EXPECT_EQ(lines.size(), kThreads)
      << "cache lines that nine threads wrote to: each needs one of its own, at each of its events";
}

// Each of four threads counts three events and reads after the second: thread 3 when all four have
// counted two. It goes on to count its third; then thread 2 reads, and so on.
TEST(CountEventsTest, ReadsWhatAllHaveCounted) {
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 12; ++i) events.push_back({i, 1, i / 4 == 1 ? 8 - i : 0});
  const std::vector<Receipt> receipts = Count(events, 4);
  std::uint64_t want = 0;
  for (std::size_t i = 0; i < 8; ++i) want += Mix(events[i].seed, events[i].rounds) % 1000;
  for (std::size_t t = 4; t-- > 0;) {
    EXPECT_EQ(receipts[4 + t].total, want)
        << "receipts[" << 4 + t << "].total: read after Sign(), it is what all threads have "
        << "counted, not only the reader, and not only those that have ended";
    want += Mix(events[8 + t].seed, events[8 + t].rounds) % 1000;
  }
  EXPECT_EQ(receipts[0].total, 0) << "receipts[0].total, of an event of rank 0";
}

std::vector<Grant> Grants(const std::vector<Step>& steps, int threads, std::size_t size) {
  SCOPED_TRACE(std::to_string(steps.size()) + " steps, num_threads = " + std::to_string(threads) +
               ", " + std::to_string(size) + " blocks");
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

TEST(RunWithPoolTest, HasNoBlockWhereThereIsNone) {
  const std::vector<Step> steps{{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 0, 0}};
  for (const Grant& grant : Grants(steps, 2, 0)) EXPECT_EQ(grant.block, kNoBlock);
  Grants({}, 2, 3);
}

// ABA. Thread 0 takes and gives `before` times. Then it has seen block 0 on top and block 1 below,
// and is held. Thread 1 takes and gives `cycles` times, takes blocks 0, 1 and 2 and gives 0 back.
// Thread 0 must get block 0, and then 3: block 1 is not free.
void ChangeTheStackBehindItsBack(std::size_t before, std::size_t cycles) {
  SCOPED_TRACE("thread 0 is held at look_rank after " + std::to_string(before) +
               " takes and gives; thread 1 takes and gives " + std::to_string(cycles) +
               " times, takes blocks 0, 1 and 2 and gives back 0");
  const Step take{1, 1, 0, 0, 0};
  const Step give{1, 1, 1, 0, 0};
  std::vector<Step> held;
  for (std::size_t i = 0; i < before; ++i) held.insert(held.end(), {take, give});
  held.insert(held.end(), {{1, 1, 0, 0, 5}, take});
  std::vector<Step> other;
  for (std::size_t i = 0; i < cycles; ++i) other.insert(other.end(), {take, give});
  other.insert(other.end(), {take, take, take, give});
  other[0].ask_rank = 1;
  // After all that each gives back what it has.
  for (std::vector<Step>* own : {&held, &other}) own->push_back({1, 1, 1, 9, 0});
  const std::size_t most = std::max(held.size(), other.size());
  held.resize(most, give);
  other.resize(most, give);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < held.size(); ++i) steps.insert(steps.end(), {held[i], other[i]});
  const std::vector<Grant> grants = Grants(steps, 2, 5);
  const Grant& first = grants[4 * before];
  ASSERT_LT(grants[4 * cycles + 7].turn, first.turn)
      << "thread 1 must go on while thread 0 is held: does a pop read the top and the block below, "
      << "then call lab::Checkpoint(look_rank), and then exchange the top?";
  ASSERT_EQ(first.block, 0) << "the first block of thread 0";
  ASSERT_EQ(grants[4 * before + 2].block, 3)
      << "the second block of thread 0; 1 and 2 are thread 1's: the exchange of a pop must fail if "
      << "the stack has changed, even if the same block is on top again (ABA)";
}

// Half of the first weak exchanges fail spuriously, and then a pop looks again: so the pop that is
// held is each time another one.
TEST(RunWithPoolTest, SeesThatTheStackHasChangedBehindItsBack) {
  for (const std::size_t before : {0, 1, 2, 3}) {
    ASSERT_NO_FATAL_FAILURE(ChangeTheStackBehindItsBack(before, 0));
  }
}

// 512 changes: a tag of 8 or 9 bits begins anew.
TEST(RunWithPoolTest, SeesThatTheStackHasChangedManyTimes) {
  for (const std::size_t before : {0, 1, 2, 3}) {
    ASSERT_NO_FATAL_FAILURE(ChangeTheStackBehindItsBack(before, 254));
  }
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
