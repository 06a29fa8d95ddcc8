// Right: a queue with room for a few jobs; one condition says "not empty", one "not full".

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
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

class BoundedQueue {
 public:
  void Put(std::size_t job) {
    std::unique_lock lock(mutex_);
    while (size_ == jobs_.size()) not_full_.wait(lock);
    jobs_[(first_ + size_++) % jobs_.size()] = job;
    not_empty_.notify_one();
  }

  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

  std::optional<std::size_t> Get() {
    std::unique_lock lock(mutex_);
    while (size_ == 0 && !closed_) not_empty_.wait(lock);
    if (size_ == 0) return std::nullopt;
    const std::size_t job = jobs_[first_];
    first_ = (first_ + 1) % jobs_.size();
    --size_;
    not_full_.notify_one();
    return job;
  }

 private:
  std::array<std::size_t, 256> jobs_{};
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::condition_variable not_full_;
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
  BoundedQueue queue;
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) {
    threads.emplace_back([&] {
      while (const auto job = queue.Get()) {
        const std::size_t begin = *job == 0 ? 0 : ends[*job - 1];
        sums[*job] = SumSerially(values.subspan(begin, ends[*job] - begin));
      }
    });
  }
  for (std::size_t s = 0; s < ends.size(); ++s) queue.Put(s);
  queue.Close();
  for (std::thread& thread : threads) thread.join();
}
