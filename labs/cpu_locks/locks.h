#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/lab/atomic.h"
#include "common/lab/checkpoint.h"
#include "common/lab/relax.h"

// What all five functions promise:
//
//  - They start their threads, as many as they are told to, with std::thread or pthread_create,
//    and return after all of these have ended. Nothing is kept for the next call.
//  - Threads synchronise by lab::Atomic<T> alone: std::atomic<T> under adverse schedules, with the
//    same members and orders (common/lab/atomic.h). compare_exchange_weak() often fails spuriously.
//  - A thread that has to wait spins: it looks, calls lab::Relax(units), and looks again. It
//    neither sleeps nor looks twice without lab::Relax() in between.
//  - Several callers may call at the same time, with outputs of their own. Spans do not overlap;
//    what an output held before is not read unless the function says so.
//
// Where a comment below says so, a thread calls lab::Checkpoint(rank). If the rank is 0, it passes.
// Else it is held there until all other threads are held or wait, then those with the lowest rank
// go on. The tests choose the ranks, and so the order of events.

/// The work of this lab: `rounds` steps, each of which needs the result of the one before it. About
/// 2 ns each.
inline std::uint64_t Mix(std::uint64_t value, std::uint32_t rounds) {
  for (; rounds > 0; --rounds) {
    value = (value ^ value >> 29) * 0xbf58476d1ce4e5b9 + 0x9e3779b97f4a7c15;
  }
  return value;
}

/// Events of the whole process so far, of parts 3 and 5: the order in which they happened.
inline std::atomic<std::uint64_t> turns{0};

inline std::uint64_t NextTurn() { return turns.fetch_add(1, std::memory_order_relaxed); }

// ---------------------------------------------------------------------------- parts 1 and 2: locks

/// Work that a thread does alone, and then a visit to the ledger that it needs the lock for.
struct Job {
  std::uint64_t seed;
  std::uint32_t rounds;
  std::uint32_t inside_rounds;
  std::uint32_t ask_rank;
  std::uint32_t inside_rank;
  std::uint64_t pauses;  // hold the lock until the others have paused for so many units
};

/// What the lock protects: plain data. `visits` counts the visits so far.
struct Ledger {
  std::uint64_t value;
  std::uint64_t visits;
};

/// What a visit found, and what the thread did to get there.
struct Visit {
  std::uint64_t turn;      // visits before this one
  std::uint64_t value;     // the ledger's value after it
  std::uint64_t together;  // how many threads were held while it was inside
  std::uint64_t looks;     // calls of lab::Relax() since the thread's last visit
  std::uint64_t units;     // of those calls, together
  std::uint64_t writes;    // writes to a lab::Atomic since then: stores, exchanges, additions
};

/// The critical section. For the thread that holds the lock.
inline Visit Enter(Ledger& ledger, const Job& job, std::uint64_t made) {
  const lab::Tally tally = lab::TakeTally();
  Visit visit{ledger.visits, 0, 0, tally.looks, tally.units, tally.writes};
  visit.together = lab::Checkpoint(job.inside_rank);
  lab::AwaitPauses(job.pauses);
  visit.value = Mix(ledger.value + made, job.inside_rounds);
  ledger.value = visit.value;
  ledger.visits = visit.turn + 1;
  return visit;
}

/// Does jobs with a spin lock: test-and-test-and-set with exponential back-off.
///
/// Thread t does the jobs t, t + num_threads, …, in this order. For job i it computes `made` =
/// Mix(seed, rounds), calls lab::Checkpoint(jobs[i].ask_rank), takes the lock, sets visits[i] to
/// Enter(ledger[0], jobs[i], made), and releases the lock. Only Enter runs under the lock.
///
/// While the lock is taken a thread that waits only reads it: it writes to it when it arrives, and
/// when it has seen it free. From one look to the next it pauses for twice as long, from at most 16
/// units up to some limit between 1024 and 4096; half of that, at random, is fine, too. Which of
/// several waiting threads is next is free.
///
/// @param jobs         n >= 0 jobs.
/// @param num_threads  how many threads, >= 1. May be larger than n.
/// @param ledger       one element, read and overwritten.
/// @param visits       gets n visits.
void RunWithSpinLock(std::span<const Job> jobs, int num_threads, std::span<Ledger> ledger,
                     std::span<Visit> visits);

/// Does jobs with a ticket lock: first come, first served.
///
/// As RunWithSpinLock, except that threads enter in the order in which they drew their tickets. A
/// thread draws one as soon as it has passed the checkpoint, and waits only afterwards. How long it
/// pauses between two looks is free.
void RunWithTicketLock(std::span<const Job> jobs, int num_threads, std::span<Ledger> ledger,
                       std::span<Visit> visits);

// --------------------------------------------------------------------------------- part 3: a ring

/// An order is made by a producer and used by its consumer.
struct Order {
  std::uint64_t seed;
  std::uint32_t make_rounds;
  std::uint32_t use_rounds;
  std::uint32_t make_rank;
  std::uint32_t use_rank;
};

/// An item in a ring: plain data. What was made, for which order, and when it was put in.
struct Item {
  std::uint64_t value;
  std::uint64_t order;
  std::uint64_t turn;
};

/// What came of an order: its value, when its item was put in, when it was used.
struct Use {
  std::uint64_t value;
  std::uint64_t put_turn;
  std::uint64_t use_turn;
};

/// Puts an item into a slot. For the producer, while the slot is free.
inline void Put(Item& slot, std::uint64_t value, std::uint64_t order) {
  slot = {value, order, NextTurn()};
}

/// Uses an item that the consumer has taken out of its slot.
inline Use UseItem(const Item& item, const Order& order) {
  lab::Checkpoint(order.use_rank);
  const std::uint64_t turn = NextTurn();
  return {Mix(item.value, order.use_rounds), item.turn, turn};
}

/// Hands items from producers to consumers, each pair through a ring of its own, first in, first
/// out, without locks.
///
/// There are 2 * pairs threads. Producer p serves the orders p, p + pairs, p + 2 * pairs, …, in
/// this order: for order i it calls lab::Checkpoint(orders[i].make_rank), makes the value
/// Mix(seed, make_rounds), waits while its ring is full, and calls Put(slot, value, i). Consumer p
/// waits while that ring is empty, copies the oldest item out of its slot, gives the slot back, and
/// then sets uses[item.order] to UseItem(item, orders[item.order]). Neither waits longer than it
/// has to.
///
/// @param orders  n >= 0 orders.
/// @param pairs   >= 1. May be larger than n.
/// @param slots   pairs * capacity of them, capacity >= 1 and not always a power of two: ring p is
///                slots[p * capacity] to slots[(p + 1) * capacity - 1]. Its t-th item, from 0, lies
///                in its slot t % capacity, and stays there until it is overwritten. All `capacity`
///                slots may be full at a time.
/// @param uses    gets n results.
void RunThroughRing(std::span<const Order> orders, int pairs, std::span<Item> slots,
                    std::span<Use> uses);

// ------------------------------------------------------------------------------ part 4: a counter

/// Something to count: the amount is Mix(seed, rounds) % 1000.
struct Event {
  std::uint64_t seed;
  std::uint32_t rounds;
  std::uint32_t rank;
};

/// How an event was counted.
struct Receipt {
  std::uint64_t line;    // the cache line of the thread's last write to a lab::Atomic
  std::uint64_t writes;  // the thread's writes to a lab::Atomic since its last receipt
  std::uint64_t total;   // what the thread read, if it did
};

/// Begins a thread's receipts. For each thread, before its first event.
inline void BeginReceipts() { lab::TakeTally(); }

/// A receipt for an event that the calling thread has just counted.
inline Receipt Sign(const Event& event) {
  const Receipt receipt{lab::LastWrittenLine(), lab::TakeTally().writes, 0};
  lab::Checkpoint(event.rank);
  return receipt;
}

/// Counts events in a counter that does not share cache lines.
///
/// Thread t counts the events t, t + num_threads, …, in this order; before them it calls
/// BeginReceipts(). For event i it adds the amount to the counter by one write to a lab::Atomic, in
/// a cache line of 64 bytes that no other thread writes to, and sets receipts[i] to
/// Sign(events[i]). If the event's rank is not 0, it then sets receipts[i].total to the sum of all
/// amounts counted so far, by all threads: what a thread had counted before another one began to
/// read is in it, though threads go on counting meanwhile.
///
/// @param events       n >= 0 events.
/// @param num_threads  how many threads, >= 1. May be larger than n.
/// @param receipts     gets n receipts; `total` is 0 where the event's rank is.
/// @returns            the sum of all amounts.
std::uint64_t CountEvents(std::span<const Event> events, int num_threads,
                          std::span<Receipt> receipts);

// ------------------------------------------------------------------------- part 5: a pool of
// blocks

/// No block: the pool was empty, or the thread has none.
inline constexpr std::uint32_t kNoBlock = 0xffff'ffff;

/// A block of the pool: plain data for its owner, except that `owners` is counted atomically.
struct Block {
  std::uint64_t value;
  std::uint32_t uses;
  std::uint32_t owners;
};

/// What a thread does next: it takes a block, or gives back the one that it has had for longest.
struct Step {
  std::uint64_t seed;
  std::uint32_t rounds;
  std::uint32_t gives;  // 1: it gives back; 0: it takes
  std::uint32_t ask_rank;
  std::uint32_t look_rank;
};

/// What a step got or gave: `block` is kNoBlock if there was none.
struct Grant {
  std::uint64_t turn;
  std::uint64_t value;
  std::uint32_t block;
  std::uint32_t uses;    // how often the block had been taken before
  std::uint32_t owners;  // how many owners it had beside the thread: must be 0
  std::uint32_t padding;
};

/// The work of a step. For the thread that owns `block`: after it has taken it, before it gives it
/// back. `number` is the block's, kNoBlock if there is none.
inline Grant UseBlock(std::span<Block> blocks, std::uint32_t number, const Step& step,
                      std::uint64_t made) {
  Grant grant{NextTurn(), made, number, 0, 0, 0};
  if (number == kNoBlock) return grant;
  Block& block = blocks[number];
  const std::atomic_ref<std::uint32_t> owners(block.owners);
  grant.owners = step.gives ? owners.fetch_sub(1, std::memory_order_relaxed) - 1
                            : owners.fetch_add(1, std::memory_order_relaxed);
  grant.uses = block.uses++;
  grant.value = block.value = Mix(block.value + made, 1);
  return grant;
}

/// Lets threads take blocks from a pool and give them back, without locks: the free blocks are a
/// stack, Treiber's.
///
/// At first all blocks are free, block 0 on top, below it block 1, and so on. Thread t does the
/// steps t, t + num_threads, …, in this order. For step i it computes `made` = Mix(seed, rounds)
/// and calls lab::Checkpoint(steps[i].ask_rank). Then,
///
///  - to take, it pops the top of the stack and sets grants[i] to
///    UseBlock(blocks, number, steps[i], made). If the stack is empty, `number` is kNoBlock; it
///    does not wait;
///  - to give, it sets grants[i] likewise, with the block that it has had for longest, and then
///    pushes that block; or kNoBlock, and nothing is pushed, if it has none.
///
/// A thread that ends keeps the blocks that it still has. A pop reads the top and the block below
/// it, calls lab::Checkpoint(steps[i].look_rank) once, at its first attempt, and then exchanges the
/// top. A pop that finds the stack empty has nothing to exchange: it may call lab::Checkpoint or
/// not. No thread ever waits for another one: while some are held there, the others go on.
///
/// @param steps        n >= 0 steps.
/// @param num_threads  how many threads, >= 1. May be larger than n.
/// @param blocks       the pool, 0 to 2^31 blocks, read and overwritten by UseBlock.
/// @param grants       gets n grants.
void RunWithPool(std::span<const Step> steps, int num_threads, std::span<Block> blocks,
                 std::span<Grant> grants);
