// The reference: one struct for each object that threads wait at, with its mutex, its conditions
// and the state that they are about.

#include "labs/pthreads_sync/sync.h"

#include <pthread.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace {

// One thread's argument: which thread it is, and what all share.
template <typename Shared>
struct Member {
  pthread_t thread;
  std::size_t number;
  Shared* shared;
};

template <typename Shared>
void* RunMember(void* argument) {
  const Member<Shared>& member = *static_cast<Member<Shared>*>(argument);
  member.shared->Run(member.number);
  return nullptr;
}

// Runs shared.Run(t) for each t below `threads`, each in a thread of its own.
template <typename Shared>
void RunTeam(std::size_t threads, Shared& shared) {
  std::vector<Member<Shared>> team(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    team[t].number = t;
    team[t].shared = &shared;
    pthread_create(&team[t].thread, nullptr, RunMember<Shared>, &team[t]);
  }
  for (const Member<Shared>& member : team) pthread_join(member.thread, nullptr);
}

class Lock {
 public:
  explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~Lock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t& mutex_;
};

struct Pipeline {
  std::span<const Order> orders;
  std::size_t producers;
  std::span<Item> slots;
  std::span<std::uint32_t> taken;
  std::span<Visit> uses;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
  pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
  std::size_t count_put = 0;
  std::size_t count_taken = 0;

  void Put(const Item& item) {
    const Lock lock(mutex);
    while (count_put - count_taken == slots.size()) pthread_cond_wait(&not_full, &mutex);
    slots[count_put++ % slots.size()] = item;
    // The last item ends all consumers.
    if (count_put == orders.size()) {
      pthread_cond_broadcast(&not_empty);
    } else {
      pthread_cond_signal(&not_empty);
    }
  }

  // False once all items have been taken.
  bool Take(Item& item) {
    const Lock lock(mutex);
    while (count_put == count_taken && count_put < orders.size()) {
      pthread_cond_wait(&not_empty, &mutex);
    }
    if (count_taken == orders.size()) return false;
    item = slots[count_taken % slots.size()];
    taken[count_taken++] = static_cast<std::uint32_t>(item.order);
    pthread_cond_signal(&not_full);
    return true;
  }

  void Run(std::size_t member) {
    if (member < producers) {
      for (std::size_t i = member; i < orders.size(); i += producers) {
        lab::Checkpoint(orders[i].make_rank);
        Put({Mix(orders[i].seed, orders[i].make_rounds), i});
      }
      return;
    }
    for (Item item{}; Take(item);) {
      const Order& order = orders[item.order];
      const std::uint64_t together = lab::Checkpoint(order.use_rank);
      uses[item.order] = {Mix(item.value, order.use_rounds), together};
    }
  }
};

class Semaphore {
 public:
  explicit Semaphore(int value) : value_(value) {}

  void P() {
    const Lock lock(mutex_);
    while (value_ == 0) pthread_cond_wait(&positive_, &mutex_);
    --value_;
  }

  void V() {
    const Lock lock(mutex_);
    ++value_;
    pthread_cond_signal(&positive_);
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t positive_ = PTHREAD_COND_INITIALIZER;
  int value_;
};

struct Permits {
  std::span<const Job> jobs;
  std::size_t threads;
  std::span<Visit> visits;
  Semaphore semaphore;

  void Run(std::size_t member) {
    for (std::size_t i = member; i < jobs.size(); i += threads) {
      semaphore.P();
      const std::uint64_t together = lab::Checkpoint(jobs[i].rank);
      visits[i] = {Mix(jobs[i].seed, jobs[i].rounds), together};
      semaphore.V();
    }
  }
};

class Barrier {
 public:
  explicit Barrier(std::size_t threads) : threads_(threads) {}

  // Returns when all threads have called it as often as the caller.
  void Wait() {
    const Lock lock(mutex_);
    const std::size_t own_round = round_;
    if (++arrived_ == threads_) {
      arrived_ = 0;
      ++round_;
      pthread_cond_broadcast(&next_round_);
      return;
    }
    while (round_ == own_round) pthread_cond_wait(&next_round_, &mutex_);
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t next_round_ = PTHREAD_COND_INITIALIZER;
  std::size_t threads_;
  std::size_t arrived_ = 0;
  std::size_t round_ = 0;
};

struct Ring {
  std::span<std::uint64_t> cells;
  std::size_t steps;
  std::uint32_t rounds;
  std::size_t threads;
  Barrier barrier;
  std::vector<std::uint64_t> other;

  void Run(std::size_t member) {
    const std::size_t n = cells.size();
    const std::size_t begin = n * member / threads;
    const std::size_t end = n * (member + 1) / threads;
    std::span<std::uint64_t> now = cells;
    std::span<std::uint64_t> next = other;
    for (std::size_t step = 0; step < steps; ++step) {
      for (std::size_t i = begin; i < end; ++i) {
        next[i] = NextCell(now[(i + n - 1) % n], now[i], now[(i + 1) % n], rounds);
      }
      barrier.Wait();
      std::swap(now, next);
    }
    // After the last barrier nobody reads the older values.
    if (now.data() != cells.data()) std::copy(&now[begin], &now[end], &next[begin]);
  }
};

struct Table {
  std::span<std::uint64_t> table;
  std::span<const Request> requests;
  std::size_t threads;
  std::span<Answer> answers;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t may_read = PTHREAD_COND_INITIALIZER;
  pthread_cond_t may_write = PTHREAD_COND_INITIALIZER;
  std::size_t readers = 0;
  std::size_t waiting_writers = 0;
  bool is_written = false;

  Answer ServeReader(const Request& request) {
    {
      const Lock lock(mutex);
      while (is_written || waiting_writers > 0) pthread_cond_wait(&may_read, &mutex);
      ++readers;
    }
    const Answer answer = Read(table, request);
    const Lock lock(mutex);
    if (--readers == 0) pthread_cond_signal(&may_write);
    return answer;
  }

  Answer ServeWriter(const Request& request) {
    {
      const Lock lock(mutex);
      ++waiting_writers;
      while (is_written || readers > 0) pthread_cond_wait(&may_write, &mutex);
      --waiting_writers;
      is_written = true;
    }
    const Answer answer = Write(table, request);
    const Lock lock(mutex);
    is_written = false;
    if (waiting_writers > 0) {
      pthread_cond_signal(&may_write);
    } else {
      pthread_cond_broadcast(&may_read);
    }
    return answer;
  }

  void Run(std::size_t member) {
    for (std::size_t i = member; i < requests.size(); i += threads) {
      lab::Checkpoint(requests[i].ask_rank);
      answers[i] = requests[i].writes ? ServeWriter(requests[i]) : ServeReader(requests[i]);
    }
  }
};

struct Bank {
  std::span<Account> accounts;
  std::span<const Transfer> transfers;
  std::size_t threads;
  std::span<Receipt> receipts;
  std::vector<pthread_mutex_t> mutexes;

  void Run(std::size_t member) {
    for (std::size_t i = member; i < transfers.size(); i += threads) {
      // All threads take the mutex of the lower number first.
      const auto [low, high] = std::minmax(transfers[i].from, transfers[i].to);
      pthread_mutex_lock(&mutexes[low]);
      if (low != high) pthread_mutex_lock(&mutexes[high]);
      receipts[i] = Move(accounts[transfers[i].from], accounts[transfers[i].to], transfers[i]);
      if (low != high) pthread_mutex_unlock(&mutexes[high]);
      pthread_mutex_unlock(&mutexes[low]);
    }
  }
};

}  // namespace

void RunPipeline(std::span<const Order> orders, int producers, int consumers, std::span<Item> slots,
                 std::span<std::uint32_t> taken, std::span<Visit> uses) {
  const auto count = static_cast<std::size_t>(producers);
  Pipeline pipeline{orders, count, slots, taken, uses};
  RunTeam(count + consumers, pipeline);
}

void RunWithPermits(std::span<const Job> jobs, int permits, int num_threads,
                    std::span<Visit> visits) {
  const auto threads = static_cast<std::size_t>(num_threads);
  Permits shared{jobs, threads, visits, Semaphore(permits)};
  RunTeam(threads, shared);
}

void RunSteps(std::span<std::uint64_t> cells, std::size_t steps, std::uint32_t rounds,
              int num_threads) {
  const auto threads = static_cast<std::size_t>(num_threads);
  Ring ring{
      cells, steps, rounds, threads, Barrier(threads), std::vector<std::uint64_t>(cells.size())};
  RunTeam(threads, ring);
}

void ServeTable(std::span<std::uint64_t> table, std::span<const Request> requests, int num_threads,
                std::span<Answer> answers) {
  const auto threads = static_cast<std::size_t>(num_threads);
  Table shared{table, requests, threads, answers};
  RunTeam(threads, shared);
}

void TransferAll(std::span<Account> accounts, std::span<const Transfer> transfers, int num_threads,
                 std::span<Receipt> receipts) {
  const auto threads = static_cast<std::size_t>(num_threads);
  Bank bank{accounts, transfers, threads, receipts,
            std::vector<pthread_mutex_t>(accounts.size(), PTHREAD_MUTEX_INITIALIZER)};
  RunTeam(threads, bank);
}
