// Wrong: the total outlives the call. Two calls at the same time, each of which adds under the
// lock, add to the same total.
// of jobs with one condition variable.

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "labs/pthreads_sum/sum.h"

namespace {

// Four sums side by side, since an addition waits until the one before it in the same sum is done,
// and that takes as long as several that wait for nothing.
double SumSerially(std::span<const float> values) {
  constexpr std::size_t kSums = 4;
  double sums[kSums] = {};
  const std::size_t rest = values.size() % kSums;
  for (std::size_t i = rest; i < values.size(); i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += values[i + j];
  }
  for (const float value : values.first(rest)) sums[0] += value;
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Starts body(0) … body(num_threads - 1), each in a thread of its own.
template <typename Body>
std::vector<std::thread> StartThreads(int num_threads, const Body& body) {
  std::vector<std::thread> threads;
  threads.reserve(num_threads);
  for (int t = 0; t < num_threads; ++t) threads.emplace_back([&body, t] { body(t); });
  return threads;
}

void Join(std::vector<std::thread> threads) {
  for (std::thread& thread : threads) thread.join();
}

template <typename Body>
void RunThreads(int num_threads, const Body& body) {
  Join(StartThreads(num_threads, body));
}

// The arrays as jobs, and who waits for them. A job is the number of an array.
class JobQueue {
 public:
  void Add() {
    {
      const std::lock_guard lock(mutex_);
      ++added_;
    }
    changed_.notify_one();
  }

  // No more jobs will come.
  void Close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  // The next job, waited for; nothing once the queue is closed and empty.
  std::optional<std::size_t> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return taken_ < added_ || closed_; });
    if (taken_ == added_) return std::nullopt;
    return taken_++;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t added_ = 0;
  std::size_t taken_ = 0;
  bool closed_ = false;
};

}  // namespace

double SumPartial(std::span<const float> values, int num_threads) {
  static double total;
  static std::mutex total_mutex;
  {
    const std::lock_guard lock(total_mutex);
    total = 0;
  }
  RunThreads(num_threads, [&](int t) {
    const std::size_t begin = values.size() * t / num_threads;
    const std::size_t end = values.size() * (t + 1) / num_threads;
    const double partial = SumSerially(values.subspan(begin, end - begin));
    const std::lock_guard lock(total_mutex);
    total += partial;
  });
  const std::lock_guard lock(total_mutex);
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

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  JobQueue queue;
  const auto work = [&](int) {
    while (const std::optional<std::size_t> s = queue.Take()) {
      const std::size_t begin = *s == 0 ? 0 : ends[*s - 1];
      sums[*s] = SumSerially(values.subspan(begin, ends[*s] - begin));
    }
  };
  std::vector<std::thread> threads = StartThreads(num_threads, work);
  for (std::size_t s = 0; s < ends.size(); ++s) queue.Add();
  queue.Close();
  Join(std::move(threads));
}
