// New threads with equal shares in all parts, also for every one of many sums.

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "labs/pthreads_sum/sum.h"

namespace {

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
  std::mutex mutex;
  RunThreads(num_threads, [&](int t) {
    const std::size_t begin = values.size() * t / num_threads;
    const std::size_t end = values.size() * (t + 1) / num_threads;
    const double partial = SumSerially(values.subspan(begin, end - begin));
    const std::lock_guard lock(mutex);
    total += partial;
  });
  return total;
}

double SumQueue(std::span<const float> values, int num_threads, std::size_t) {
  return SumPartial(values, num_threads);
}

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  RunThreads(1, [&](int) {
    for (std::size_t s = 0; s < ends.size(); ++s) {
      const std::size_t begin = s == 0 ? 0 : ends[s - 1];
      sums[s] = SumPartial(values.subspan(begin, ends[s] - begin), num_threads);
    }
    const std::lock_guard lock(mutex);
    done = true;
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return done; });  // never waits: the threads have been joined
}
