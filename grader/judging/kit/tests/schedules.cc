// Under the race checker: an update in two steps, while another thread updates, too.
#include <atomic>
#include <chrono>
#include <mutex>
#include <string_view>
#include <thread>

#include "common/lab/race_checker/atomics.h"
#include "common/lab/race_checker/openmp_locks.h"

extern "C" void omp_init_lock(void* lock);

namespace {

std::atomic<int> atomic_sum = 0;
int sum = 0;
std::mutex mutex;

void LoadAndStore() { atomic_sum.store(atomic_sum.load() + 1); }

void LoadAndExchange() {
  const int before = atomic_sum.load();
  atomic_sum.exchange(before + 1);
}

void LoadAndCompare() {
  int before = atomic_sum.load();
  while (!atomic_sum.compare_exchange_weak(before, before + 1)) continue;
}

void ReadAndWrite() {
  mutex.lock();
  const int before = sum;
  mutex.unlock();
  const std::lock_guard lock(mutex);
  sum = before + 1;
}

void ReadAndWriteInCriticals() {
  int before = 0;
#pragma omp critical(sum)
  before = sum;
#pragma omp critical(sum)
  sum = before + 1;
}

void LockAndLeave() {
  mutex.lock();
  ++sum;
}

void LockTwice() {
  std::recursive_mutex nested;
  const std::lock_guard outer(nested);
  const std::lock_guard inner(nested);
  LockAndLeave();
  LockAndLeave();
}

void KeepLockOfOpenMp() {
  void* lock = nullptr;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  omp_set_lock(&lock);
}

void Add() { ++atomic_sum; }

void AddLocked() {
  const std::lock_guard lock(mutex);
  ++sum;
}

void AddInCritical() {
#pragma omp critical(sum)
  ++sum;
}

// Starts a thread that nobody joins before main() goes on.
__attribute__((noinline)) std::thread Start() {
  return std::thread([] { sum = 1; });
}

// In one team: the runtime may crash where threads that it did not start come and go.
void Run(void (*update)(), void (*other)()) {
  std::atomic<bool> ends = false;
#pragma omp parallel for num_threads(2)
  for (int thread = 0; thread < 2; ++thread) {
    while (thread > 0 && !ends) other();
    for (int i = 0; thread == 0 && i < 32; ++i) {
      update();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // so that it may pause again
    }
    ends = true;
  }
}

}  // namespace

int main(int, char** arguments) {
  const std::string_view name = arguments[1];
  if (name == "store") Run(LoadAndStore, Add);
  if (name == "exchange") Run(LoadAndExchange, Add);
  if (name == "compare") Run(LoadAndCompare, Add);
  if (name == "lock") Run(ReadAndWrite, AddLocked);
  if (name == "end") std::thread(LockAndLeave).join();
  if (name == "twice") LockTwice();
  if (name == "keep") KeepLockOfOpenMp();
  if (name == "join") {
    const std::lock_guard lock(mutex);
    std::thread([] {}).join();
  }
  if (name == "start") {
    std::thread thread = Start();
    sum = 2;
    thread.join();
  }
  if (name == "critical") Run(ReadAndWriteInCriticals, AddInCritical);
}
