// Hostile: a timer whose handler sleeps whenever nothing is timed, to use up the measurement's
// budget; only calls use the budget.
// Or: policy, time_limit, too_slow
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

volatile bool called = false;

void Stall(int) {
  if (!called) usleep(50'000);
}

const int started = [] {
  const itimerval often{{0, 20'000}, {0, 20'000}};
  signal(SIGALRM, Stall);
  return setitimer(ITIMER_REAL, &often, nullptr);
}();

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  called = true;
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
  called = false;
}
