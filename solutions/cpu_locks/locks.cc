// The reference: a class for each object that threads share, and one loop for each part.

#include "labs/cpu_locks/locks.h"

#include <algorithm>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

namespace {

// Runs body(t) for each t below `threads`, each in a thread of its own.
template <typename Body>
void RunTeam(std::size_t threads, const Body& body) {
  std::vector<std::thread> team;
  for (std::size_t t = 0; t < threads; ++t) team.emplace_back(body, t);
  for (std::thread& thread : team) thread.join();
}

// Pauses that double, from one look to the next.
class BackOff {
 public:
  void Pause() {
    lab::Relax(units_);
    units_ = std::min(2 * units_, kMost);
  }

 private:
  static constexpr std::uint32_t kMost = 1024;
  std::uint32_t units_ = 4;
};

class SpinLock {
 public:
  void Lock() {
    BackOff back_off;
    while (is_locked_.exchange(true, std::memory_order_acquire)) {
      do {
        back_off.Pause();
      } while (is_locked_.load(std::memory_order_relaxed));
    }
  }

  void Unlock() { is_locked_.store(false, std::memory_order_release); }

 private:
  lab::Atomic<bool> is_locked_ = false;
};

class TicketLock {
 public:
  void Lock() {
    const std::uint32_t own = next_.fetch_add(1, std::memory_order_relaxed);
    BackOff back_off;
    while (serving_.load(std::memory_order_acquire) != own) back_off.Pause();
  }

  // Only the owner writes `serving_`.
  void Unlock() {
    serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  lab::Atomic<std::uint32_t> next_ = 0;
  alignas(lab::kCacheLine) lab::Atomic<std::uint32_t> serving_ = 0;
};

template <typename Lock>
void RunWithLock(std::span<const Job> jobs, int num_threads, std::span<Ledger> ledger,
                 std::span<Visit> visits) {
  const auto threads = static_cast<std::size_t>(num_threads);
  Lock lock;
  RunTeam(threads, [&](std::size_t t) {
    for (std::size_t i = t; i < jobs.size(); i += threads) {
      const std::uint64_t made = Mix(jobs[i].seed, jobs[i].rounds);
      lab::Checkpoint(jobs[i].ask_rank);
      lock.Lock();
      visits[i] = Enter(ledger[0], jobs[i], made);
      lock.Unlock();
    }
  });
}

// For one producer and one consumer. Both counts only grow.
class Ring {
 public:
  explicit Ring(std::span<Item> slots) : slots_(slots) {}

  void PutItem(std::uint64_t value, std::uint64_t order) {
    const std::uint64_t put = put_.load(std::memory_order_relaxed);
    BackOff back_off;
    while (put - taken_.load(std::memory_order_acquire) == slots_.size()) back_off.Pause();
    Put(slots_[put % slots_.size()], value, order);
    put_.store(put + 1, std::memory_order_release);
  }

  Item TakeItem() {
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    BackOff back_off;
    while (put_.load(std::memory_order_acquire) == taken) back_off.Pause();
    const Item item = slots_[taken % slots_.size()];
    taken_.store(taken + 1, std::memory_order_release);
    return item;
  }

 private:
  std::span<Item> slots_;
  alignas(lab::kCacheLine) lab::Atomic<std::uint64_t> put_ = 0;
  alignas(lab::kCacheLine) lab::Atomic<std::uint64_t> taken_ = 0;
};

// A thread's share of the counter, in a cache line of its own.
struct alignas(lab::kCacheLine) Shard {
  lab::Atomic<std::uint64_t> count = 0;
};

std::uint64_t SumOf(const std::vector<Shard>& shards) {
  std::uint64_t total = 0;
  for (const Shard& shard : shards) total += shard.count.load(std::memory_order_relaxed);
  return total;
}

// The free blocks. The top's upper half counts the changes, so that an exchange fails if there was
// any, even if the same block is on top again.
class Pool {
 public:
  explicit Pool(std::size_t blocks) : below_(blocks), top_(blocks == 0 ? kNoBlock : 0) {
    std::uint32_t next = 0;
    for (lab::Atomic<std::uint32_t>& below : below_) below = ++next < blocks ? next : kNoBlock;
  }

  std::uint32_t Pop(std::uint32_t look_rank) {
    std::uint64_t top = top_.load(std::memory_order_acquire);
    while (BlockOf(top) != kNoBlock) {
      const std::uint32_t below = below_[BlockOf(top)].load(std::memory_order_relaxed);
      lab::Checkpoint(std::exchange(look_rank, {}));
      if (top_.compare_exchange_weak(top, Next(top, below), std::memory_order_acquire)) break;
    }
    return BlockOf(top);
  }

  void Push(std::uint32_t block) {
    std::uint64_t top = top_.load(std::memory_order_relaxed);
    do {
      below_[block].store(BlockOf(top), std::memory_order_relaxed);
    } while (!top_.compare_exchange_weak(top, Next(top, block), std::memory_order_release));
  }

 private:
  static std::uint32_t BlockOf(std::uint64_t top) { return static_cast<std::uint32_t>(top); }
  static std::uint64_t Next(std::uint64_t top, std::uint32_t block) {
    return ((top >> 32) + 1) << 32 | block;
  }

  std::vector<lab::Atomic<std::uint32_t>> below_;
  lab::Atomic<std::uint64_t> top_;
};

}  // namespace

void RunWithSpinLock(std::span<const Job> jobs, int num_threads, std::span<Ledger> ledger,
                     std::span<Visit> visits) {
  RunWithLock<SpinLock>(jobs, num_threads, ledger, visits);
}

void RunWithTicketLock(std::span<const Job> jobs, int num_threads, std::span<Ledger> ledger,
                       std::span<Visit> visits) {
  RunWithLock<TicketLock>(jobs, num_threads, ledger, visits);
}

void RunThroughRing(std::span<const Order> orders, int pairs, std::span<Item> slots,
                    std::span<Use> uses) {
  const auto count = static_cast<std::size_t>(pairs);
  const std::size_t capacity = slots.size() / count;
  std::deque<Ring> rings;
  for (std::span<Item> rest = slots; !rest.empty(); rest = rest.subspan(capacity)) {
    rings.emplace_back(rest.first(capacity));
  }
  RunTeam(2 * count, [&](std::size_t t) {
    const std::size_t pair = t / 2;
    for (std::size_t i = pair; i < orders.size(); i += count) {
      if (t % 2 == 0) {
        lab::Checkpoint(orders[i].make_rank);
        rings[pair].PutItem(Mix(orders[i].seed, orders[i].make_rounds), i);
      } else {
        const Item item = rings[pair].TakeItem();
        uses[item.order] = UseItem(item, orders[item.order]);
      }
    }
  });
}

std::uint64_t CountEvents(std::span<const Event> events, int num_threads,
                          std::span<Receipt> receipts) {
  const auto threads = static_cast<std::size_t>(num_threads);
  std::vector<Shard> shards(threads);
  RunTeam(threads, [&](std::size_t t) {
    BeginReceipts();
    for (std::size_t i = t; i < events.size(); i += threads) {
      const std::uint64_t amount = Mix(events[i].seed, events[i].rounds) % 1000;
      shards[t].count.fetch_add(amount, std::memory_order_relaxed);
      receipts[i] = Sign(events[i]);
      if (events[i].rank != 0) receipts[i].total = SumOf(shards);
    }
  });
  return SumOf(shards);
}

void RunWithPool(std::span<const Step> steps, int num_threads, std::span<Block> blocks,
                 std::span<Grant> grants) {
  const auto threads = static_cast<std::size_t>(num_threads);
  Pool pool(blocks.size());
  RunTeam(threads, [&](std::size_t t) {
    std::deque<std::uint32_t> own;
    for (std::size_t i = t; i < steps.size(); i += threads) {
      const std::uint64_t made = Mix(steps[i].seed, steps[i].rounds);
      lab::Checkpoint(steps[i].ask_rank);
      if (steps[i].gives == 0) {
        const std::uint32_t number = pool.Pop(steps[i].look_rank);
        grants[i] = UseBlock(blocks, number, steps[i], made);
        if (number != kNoBlock) own.push_back(number);
        continue;
      }
      const std::uint32_t number = own.empty() ? kNoBlock : own.front();
      grants[i] = UseBlock(blocks, number, steps[i], made);
      if (number == kNoBlock) continue;
      own.pop_front();
      pool.Push(number);
    }
  });
}
