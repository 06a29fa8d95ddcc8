// Wrong: the thread that finds the queue empty leaves without unlocking it.

#include <pthread.h>

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
  double total = 0;
  pthread_mutex_t next_mutex = PTHREAD_MUTEX_INITIALIZER;
  std::mutex total_mutex;
  RunThreads(num_threads, [&](int) {
    double partial = 0;
    for (;;) {
      pthread_mutex_lock(&next_mutex);
      if (next == values.size()) break;
      const auto taken = values.subspan(next, std::min(chunk, values.size() - next));
      next += taken.size();
      pthread_mutex_unlock(&next_mutex);
      partial += SumSerially(taken);
    }
    const std::lock_guard lock(total_mutex);
    total += partial;
  });
  return total;
}
