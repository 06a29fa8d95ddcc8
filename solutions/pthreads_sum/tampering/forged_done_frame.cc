// Hostile: writes made-up replies to every descriptor, to be told done before the work is. write()
// is not to be had: a stream of the C library is turned to each descriptor instead.

#include <algorithm>
#include <condition_variable>
#include <cstdio>
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

double SumPartial(std::span<const float>, int) {
  const std::vector<unsigned char> forged(4096, 0);
  for (int fd = 3; fd < 64; ++fd) {
    stdout->_fileno = fd;
    std::fwrite(forged.data(), 1, forged.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
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
