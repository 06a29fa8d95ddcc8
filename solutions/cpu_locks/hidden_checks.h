#pragma once

// Calls each function and checks what it did against what it must have done in some order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/team_size.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cpu_locks/locks.h"

namespace cpu_locks {

inline constexpr int kMaxThreads = 8;

// The ledger before each call.
inline constexpr Ledger kBefore{12'345, 7};

using LockFunction = lab::Function<decltype(RunWithSpinLock)>;
inline const LockFunction run_with_spin_lock{"RunWithSpinLock"};
inline const LockFunction run_with_ticket_lock{"RunWithTicketLock"};
inline const lab::Function<decltype(RunThroughRing)> run_through_ring{"RunThroughRing"};
inline const lab::Function<decltype(CountEvents)> count_events{"CountEvents"};
inline const lab::Function<decltype(RunWithPool)> run_with_pool{"RunWithPool"};

// As many threads as the run asks for; four where it does not.
inline int TimedThreads() { return lab::CurrentTeamSize() == 0 ? 4 : lab::CurrentTeamSize(); }

// Which elements, in the order of what `key` gives of each.
template <typename T, typename Key>
std::vector<std::size_t> InOrderOf(const std::vector<T>& elements, const Key& key) {
  std::vector<std::size_t> order(elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return key(elements[i]); });
  return order;
}

// Repeats the visits one after the other, in the order of their turns.
inline void CheckVisits(const std::vector<Job>& jobs, const std::vector<Visit>& visits,
                        const Ledger& after) {
  Ledger ledger = kBefore;
  for (const std::size_t i : InOrderOf(visits, [](const Visit& visit) { return visit.turn; })) {
    ASSERT_EQ(visits[i].turn, ledger.visits)
        << "visits[" << i << "].turn, of visits that are inside one at a time";
    const std::uint64_t made = Mix(jobs[i].seed, jobs[i].rounds);
    ledger = {Mix(ledger.value + made, jobs[i].inside_rounds), ledger.visits + 1};
    ASSERT_EQ(visits[i].value, ledger.value) << "visits[" << i << "].value";
  }
  EXPECT_EQ(after.visits, ledger.visits) << "ledger[0].visits after all";
  EXPECT_EQ(after.value, ledger.value) << "ledger[0].value after all";
}

// Fails unless all that happened in the ledger is right; returns the visits.
inline std::vector<Visit> Visits(const LockFunction& run, const std::vector<Job>& jobs,
                                 int threads) {
  SCOPED_TRACE("with " + std::to_string(jobs.size()) +
               " jobs, num_threads = " + std::to_string(threads));
  std::vector<Ledger> ledger{kBefore};
  std::vector<Visit> visits = lab::Poisoned<Visit>(jobs.size());
  run(jobs, threads, ledger, visits);
  CheckVisits(jobs, visits, ledger[0]);
  return visits;
}

// The items of each pair must be put in their order, and lie in their slots at the end.
inline void CheckPair(const std::vector<Order>& orders, std::size_t pair, std::size_t pairs,
                      std::span<const Item> ring, const std::vector<Use>& uses) {
  const std::size_t count = (orders.size() + pairs - 1 - pair) / pairs;
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t i = pair + t * pairs;
    const std::uint64_t made = Mix(orders[i].seed, orders[i].make_rounds);
    ASSERT_EQ(uses[i].value, Mix(made, orders[i].use_rounds)) << "uses[" << i << "].value";
    ASSERT_LT(uses[i].put_turn, uses[i].use_turn) << "uses[" << i << "]: put before it was used";
    if (t > 0) {
      const Use& last = uses[i - pairs];
      ASSERT_LT(last.put_turn, uses[i].put_turn) << "uses[" << i << "]: put after the one before";
      ASSERT_LT(last.use_turn, uses[i].use_turn) << "uses[" << i << "]: used after the one before";
    }
    if (t + ring.size() < count) continue;
    const Item& slot = ring[t % ring.size()];
    EXPECT_EQ(slot.order, i) << "slot " << t % ring.size() << " of ring " << pair << " after all";
    EXPECT_EQ(slot.value, made) << "slot " << t % ring.size() << " of ring " << pair;
  }
}

inline std::vector<Use> Deliver(const std::vector<Order>& orders, int pairs, std::size_t capacity) {
  SCOPED_TRACE("with " + std::to_string(orders.size()) + " orders, pairs = " +
               std::to_string(pairs) + ", " + std::to_string(capacity) + " slots a ring");
  const auto count = static_cast<std::size_t>(pairs);
  std::vector<Item> slots = lab::Poisoned<Item>(count * capacity);
  std::vector<Use> uses = lab::Poisoned<Use>(orders.size());
  run_through_ring(orders, pairs, slots, uses);
  for (std::size_t pair = 0; pair < count; ++pair) {
    CheckPair(orders, pair, count, std::span(slots).subspan(pair * capacity, capacity), uses);
  }
  return uses;
}

inline std::uint64_t AmountOf(const Event& event) { return Mix(event.seed, event.rounds) % 1000; }

// No two threads may have written to the same cache line, and each only once for an event.
inline void CheckLines(const std::vector<Receipt>& receipts, std::size_t threads) {
  std::map<std::uint64_t, std::size_t> writers;
  for (std::size_t i = 0; i < receipts.size(); ++i) {
    ASSERT_EQ(receipts[i].writes, 1) << "receipts[" << i << "].writes: to lab::Atomic, an event";
    const auto writer = writers.emplace(receipts[i].line, i % threads).first;
    ASSERT_EQ(writer->second, i % threads)
        << "receipts[" << i << "].line: the thread that writes to this cache line; two do, which "
        << "is false sharing";
  }
}

inline std::vector<Receipt> Count(const std::vector<Event>& events, int threads) {
  SCOPED_TRACE("with " + std::to_string(events.size()) +
               " events, num_threads = " + std::to_string(threads));
  std::vector<Receipt> receipts = lab::Poisoned<Receipt>(events.size());
  const std::uint64_t total = count_events(events, threads, receipts);
  std::uint64_t want = 0;
  for (const Event& event : events) want += AmountOf(event);
  EXPECT_EQ(total, want) << "the total that was returned";
  CheckLines(receipts, static_cast<std::size_t>(threads));
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].rank != 0) continue;
    EXPECT_EQ(receipts[i].total, 0) << "receipts[" << i << "].total";
  }
  return receipts;
}

// What the owners of one block must have done to it, one after the other.
inline void CheckBlock(const std::vector<Step>& steps, const std::vector<Grant>& grants,
                       std::uint32_t number, std::vector<std::size_t> own, const Block& block) {
  std::ranges::sort(own, {}, [&](std::size_t i) { return grants[i].uses; });
  std::uint64_t value = number;
  for (std::uint32_t use = 0; use < own.size(); ++use) {
    const std::size_t i = own[use];
    ASSERT_EQ(grants[i].uses, use) << "grants[" << i << "].uses, of block " << number;
    ASSERT_EQ(steps[i].gives, use % 2) << "grants[" << i << "]: block " << number
                                       << " is taken and given back in turn; this step gives";
    value = Mix(value + Mix(steps[i].seed, steps[i].rounds), 1);
    ASSERT_EQ(grants[i].value, value) << "grants[" << i << "].value, of block " << number;
  }
  EXPECT_EQ(block.uses, own.size()) << "blocks[" << number << "].uses after all";
  EXPECT_EQ(block.value, value) << "blocks[" << number << "].value after all";
}

inline std::vector<Grant> Grants(const std::vector<Step>& steps, int threads, std::size_t size) {
  SCOPED_TRACE("with " + std::to_string(steps.size()) + " steps, num_threads = " +
               std::to_string(threads) + ", " + std::to_string(size) + " blocks");
  std::vector<Block> blocks(size);
  for (std::size_t b = 0; b < size; ++b) blocks[b].value = b;
  std::vector<Grant> grants = lab::Poisoned<Grant>(steps.size());
  run_with_pool(steps, threads, blocks, grants);
  std::vector<std::vector<std::size_t>> of_block(size);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(grants[i].owners, 0)
        << "grants[" << i << "].owners: other threads that have block " << grants[i].block;
    if (grants[i].block == kNoBlock) continue;
    if (grants[i].block >= size) {
      ADD_FAILURE() << "grants[" << i << "].block is " << grants[i].block;
      return grants;
    }
    of_block[grants[i].block].push_back(i);
  }
  for (std::uint32_t b = 0; b < size; ++b) {
    CheckBlock(steps, grants, b, std::move(of_block[b]), blocks[b]);
    if (testing::Test::HasFailure()) break;
  }
  return grants;
}

}  // namespace cpu_locks
