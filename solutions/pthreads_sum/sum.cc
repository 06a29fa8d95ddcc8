// The reference: std::thread, a lambda that every thread runs, two mutexes.

#include "labs/pthreads_sum/sum.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace {

double SumSerially(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

// Runs body(0) … body(num_threads - 1), each in a thread of its own; returns when all have ended.
template <typename Body>
void RunThreads(int num_threads, const Body& body) {
  std::vector<std::thread> threads;
  threads.reserve(num_threads);
  for (int t = 0; t < num_threads; ++t) threads.emplace_back([&body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

double SumPartial(std::span<const float> values, int num_threads) {
  double total = 0;
  std::mutex total_mutex;
  RunThreads(num_threads, [&](int t) {
    const std::size_t begin = values.size() * t / num_threads;
    const std::size_t end = values.size() * (t + 1) / num_threads;
    const double partial = SumSerially(values.subspan(begin, end - begin));
    const std::lock_guard lock(total_mutex);
    total += partial;
  });
  return total;
}

double SumQueue(std::span<const float> values, int num_threads, std::size_t chunk) {
  std::size_t next = 0;
  std::mutex next_mutex;
  double total = 0;
  std::mutex total_mutex;

  const auto take = [&] {
    const std::lock_guard lock(next_mutex);
    const auto taken = values.subspan(next, std::min(chunk, values.size() - next));
    next += taken.size();
    return taken;
  };
  RunThreads(num_threads, [&](int) {
    double partial = 0;
    for (auto taken = take(); !taken.empty(); taken = take()) partial += SumSerially(taken);
    const std::lock_guard lock(total_mutex);
    total += partial;
  });
  return total;
}
