// Hostile: calls the operating system by a second name for syscall(): it writes random
// numbers into what others read.

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

static long Call(long, ...) __attribute__((weakref("syscall")));

unsigned rounds;

void Count() {
  constexpr long kGetRandom = 318;
  const unsigned old = rounds;
  if (Call(kGetRandom, &rounds, sizeof old, 0) < 0) counted = old;
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
