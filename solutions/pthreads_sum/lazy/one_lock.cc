// All threads add, but each holds the one mutex while it does.

#include <algorithm>
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
    const std::lock_guard lock(mutex);
    const std::size_t begin = values.size() * t / num_threads;
    const std::size_t end = values.size() * (t + 1) / num_threads;
    total += SumSerially(values.subspan(begin, end - begin));
  });
  return total;
}

double SumQueue(std::span<const float> values, int num_threads, std::size_t chunk) {
  double total = 0;
  std::size_t next = 0;
  std::mutex mutex;
  RunThreads(num_threads, [&](int) {
    for (bool more = true; more;) {
      const std::lock_guard lock(mutex);
      const std::size_t count = std::min(chunk, values.size() - next);
      total += SumSerially(values.subspan(next, count));
      next += count;
      more = next < values.size();
    }
  });
  return total;
}

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  std::size_t next = 0;
  std::mutex mutex;
  std::condition_variable changed;
  RunThreads(num_threads, [&](int) {
    for (bool more = true; more;) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return next <= ends.size(); });  // is always true
      if (next < ends.size()) {
        const std::size_t begin = next == 0 ? 0 : ends[next - 1];
        sums[next] = SumSerially(values.subspan(begin, ends[next] - begin));
        ++next;
      }
      more = next < ends.size();
    }
  });
}
