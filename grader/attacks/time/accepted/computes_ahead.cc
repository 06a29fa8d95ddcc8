// Hostile: a thread spins between calls, to find the next input early; the worker is frozen while
// inputs are written.
// Or: too_slow, data_race
#include <pthread.h>

#include <atomic>
#include <ctime>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

std::atomic<const std::uint32_t*> place{nullptr};
std::atomic<std::uint32_t> seen{0};

void* Watch(void*) {
  for (int i = 0; i < 2000; ++i) {
    const timespec moment{0, 1'000'000};
    nanosleep(&moment, nullptr);
    if (place.load() == nullptr) seen.fetch_add(1);
  }
  return nullptr;
}

const int started = [] {
  pthread_t thread;
  return pthread_create(&thread, nullptr, Watch, nullptr);
}();

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  place = values.data();
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
  place = nullptr;
}
