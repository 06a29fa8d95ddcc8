// Right: a semaphore made of a mutex and a condition variable counts the jobs.

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

class Semaphore {
 public:
  void Post() {
    const std::lock_guard lock(mutex_);
    ++count_;
    positive_.notify_one();
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    positive_.wait(lock, [this] { return count_ > 0; });
    --count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable positive_;
  std::size_t count_ = 0;
};

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
  std::mutex next_mutex;
  std::mutex total_mutex;
  RunThreads(num_threads, [&](int) {
    double partial = 0;
    for (;;) {
      std::unique_lock lock(next_mutex);
      const std::size_t begin = next;
      const std::size_t count = std::min(chunk, values.size() - begin);
      next += count;
      lock.unlock();
      if (count == 0) break;
      partial += SumSerially(values.subspan(begin, count));
    }
    const std::lock_guard lock(total_mutex);
    total += partial;
  });
  return total;
}

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  Semaphore jobs;
  std::size_t next = 0;
  std::mutex next_mutex;
  const auto work = [&] {
    for (;;) {
      jobs.Wait();
      std::unique_lock lock(next_mutex);
      if (next == ends.size()) return;
      const std::size_t s = next++;
      lock.unlock();
      const std::size_t begin = s == 0 ? 0 : ends[s - 1];
      sums[s] = SumSerially(values.subspan(begin, ends[s] - begin));
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) threads.emplace_back(work);
  for (std::size_t post = 0; post < ends.size() + num_threads; ++post) jobs.Post();
  for (std::thread& thread : threads) thread.join();
}
