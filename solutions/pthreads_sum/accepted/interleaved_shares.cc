// Right: thread t adds the values t, t + p, t + 2p, …; one mutex serves index and total.

#include <algorithm>
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
  std::mutex total_mutex;
  RunThreads(num_threads, [&](int t) {
    double partial = 0;
    for (std::size_t i = t; i < values.size(); i += num_threads) partial += values[i];
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
