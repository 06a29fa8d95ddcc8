// Hostile: keeps all cores busy between its calls, to slow the reference; the worker is frozen
// then.
// Or: too_slow, time_limit, runtime_error
#include <pthread.h>

#include <atomic>
#include <ctime>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

std::atomic<bool> called{false};

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void* Spin(void*) {
  const double end = Now() + 10;
  while (Now() < end) {
    const timespec moment{0, 100'000};
    if (called.load()) nanosleep(&moment, nullptr);
  }
  return nullptr;
}

const int started = [] {
  for (int i = 0; i < 4; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, Spin, nullptr);
  }
  return 0;
}();

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  called = true;
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
  called = false;
}
