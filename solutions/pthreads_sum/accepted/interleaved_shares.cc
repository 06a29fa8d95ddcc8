// Right: thread t adds the blocks t, t + p, t + 2p, …; one mutex serves index and total.

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "labs/pthreads_sum/sum.h"

namespace {

// Whole cache lines: of single values each thread would fetch every line.
constexpr std::size_t kBlock = 1 << 10;

double SumSerially(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

template <typename Body>
void RunThreads(int num_threads, const Body& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) threads.emplace_back([&body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

double SumPartial(std::span<const float> values, int num_threads) {
  double total = 0;
  std::mutex total_mutex;
  RunThreads(num_threads, [&](int t) {
    double partial = 0;
    for (std::size_t begin = t * kBlock; begin < values.size(); begin += num_threads * kBlock) {
      partial += SumSerially(values.subspan(begin, std::min(kBlock, values.size() - begin)));
    }
    const std::lock_guard lock(total_mutex);
    total += partial;
  });
  return total;
}

double SumQueue(std::span<const float> values, int num_threads, std::size_t chunk) {
  std::size_t next = 0;
  double total = 0;
  std::mutex mutex;
  RunThreads(num_threads, [&](int) {
    double partial = 0;
    std::unique_lock lock(mutex);
    while (next < values.size()) {
      const auto taken = values.subspan(next, std::min(chunk, values.size() - next));
      next += taken.size();
      lock.unlock();
      partial += SumSerially(taken);
      lock.lock();
    }
    total += partial;
  });
  return total;
}

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  std::size_t added = 0;
  std::size_t taken = 0;
  bool closed = false;
  std::mutex mutex;
  std::condition_variable changed;
  const auto work = [&] {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return taken < added || closed; });
      if (taken == added) return;
      const std::size_t s = taken++;
      lock.unlock();
      const std::size_t begin = s == 0 ? 0 : ends[s - 1];
      sums[s] = SumSerially(values.subspan(begin, ends[s] - begin));
      lock.lock();
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) threads.emplace_back(work);
  for (std::size_t s = 0; s < ends.size(); ++s) {
    const std::lock_guard lock(mutex);
    ++added;
    changed.notify_one();
  }
  {
    const std::lock_guard lock(mutex);
    closed = true;
    changed.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}
