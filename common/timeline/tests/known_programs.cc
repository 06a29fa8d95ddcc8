// Programs whose pictures are known: known_programs FOLDER writes FOLDER/NAME.json of each
//
// Threads work by their CPU time, so that what they wait for does not depend on the machine's load.

#include <pthread.h>
#include <time.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/timeline/recorder.h"

namespace {

constexpr int kTeam = 4;

double CpuMilliseconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) * 1e-6;
}

__attribute__((noinline)) void Work(double milliseconds) {
  const double end = CpuMilliseconds() + milliseconds;
  while (CpuMilliseconds() < end) {
  }
}

template <typename Body>
void RunTeam(const Body& body) {
  std::vector<std::thread> team;
  for (int t = 0; t < kTeam; ++t) team.emplace_back(body, t);
  for (std::thread& thread : team) thread.join();
}

void OneLock() {
  std::mutex everything;
  RunTeam([&](int) {
    for (int i = 0; i < 5; ++i) {
      const std::lock_guard lock(everything);
      Work(2);
    }
  });
}

void LateAtBarrier() {
  pthread_barrier_t meeting;
  pthread_barrier_init(&meeting, nullptr, kTeam);
  RunTeam([&](int t) {
    Work(t == 2 ? 20 : 2);
    pthread_barrier_wait(&meeting);
    Work(2);
  });
  pthread_barrier_destroy(&meeting);
}

void UnequalShares() {
  RunTeam([](int t) { Work(t == 3 ? 30 : 3); });
}

void BothOrders() {
  std::mutex left, right;
  const auto both = [](std::mutex& first, std::mutex& second) {
    const std::lock_guard outer(first);
    Work(3);
    const std::lock_guard inner(second);
    Work(3);
  };
  std::thread one([&] { both(left, right); });
  one.join();
  std::thread other([&] { both(right, left); });
  other.join();
}

void Condition() {
  std::mutex mutex;
  std::condition_variable filled;
  int jobs = 0;
  std::thread consumer([&] {
    for (int i = 0; i < 3; ++i) {
      std::unique_lock lock(mutex);
      while (jobs == 0) filled.wait(lock);
      --jobs;
    }
  });
  for (int i = 0; i < 3; ++i) {
    Work(8);
    const std::lock_guard lock(mutex);
    ++jobs;
    filled.notify_one();
  }
  consumer.join();
}

void SkewedLoop() {
#pragma omp parallel for schedule(static) num_threads(kTeam)
  for (int i = 0; i < 40; ++i) {
    Work(i / 10);
  }
}

void ChunkedLoop() {
#pragma omp parallel for schedule(dynamic, 5) num_threads(kTeam)
  for (int i = 0; i < 40; ++i) {
    Work(1);
  }
}

void Tasks() {
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  for (int i = 0; i < 12; ++i) {
#pragma omp task
    Work(3);
  }
}

void CriticalSection() {
#pragma omp parallel num_threads(kTeam)
  for (int i = 0; i < 5; ++i) {
#pragma omp critical
    Work(2);
  }
}

void Spinning() {
  std::mutex busy;
  std::thread holder([&] {
    const std::lock_guard lock(busy);
    Work(20);
  });
  std::thread spinner([&] {
    Work(2);
    while (!busy.try_lock()) {
    }
    busy.unlock();
  });
  holder.join();
  spinner.join();
}

void SpinningOnAtomic() {
  std::atomic<bool> ready = false;
  std::thread spinner([&] {
    while (!ready.load()) {
    }
  });
  Work(30);
  ready = true;
  spinner.join();
}

void WaitingForAtomic() {
  std::atomic<int> ready = 0;
  std::thread waiter([&] { ready.wait(0); });
  Work(15);
  ready = 1;
  ready.notify_one();
  waiter.join();
}

void ManyShortLocks() {
  std::vector<std::mutex> buckets(64);
  std::atomic<int> sum = 0;
  RunTeam([&](int t) {
    for (int i = 0; i < 25'000; ++i) {
      const std::lock_guard lock(buckets[(i * 7 + t) % buckets.size()]);
      sum.fetch_add(1, std::memory_order_relaxed);
    }
  });
}

struct Program {
  const char* name;
  void (*function)();
};

// Those with OpenMP come last: its threads stay.
constexpr Program kPrograms[] = {
    {"one_lock", OneLock},
    {"late_at_barrier", LateAtBarrier},
    {"unequal_shares", UnequalShares},
    {"both_orders", BothOrders},
    {"condition", Condition},
    {"spinning", Spinning},
    {"spinning_on_atomic", SpinningOnAtomic},
    {"waiting_for_atomic", WaitingForAtomic},
    {"many_short_locks", ManyShortLocks},
    {"skewed_loop", SkewedLoop},
    {"chunked_loop", ChunkedLoop},
    {"tasks", Tasks},
    {"critical_section", CriticalSection},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  lab::timeline::EventNanoseconds();
  for (const Program& program : kPrograms) {
    lab::timeline::Start();
    program.function();
    lab::timeline::Stop();
    const std::string path = std::string(argv[1]) + "/" + program.name + ".json";
    if (!lab::timeline::Write(path.c_str(), program.name)) return 1;
  }
}
