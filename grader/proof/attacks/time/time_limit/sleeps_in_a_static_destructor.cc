// Hostile: sleeps in a static destructor; the end of the process has a limit like a call.
// Or: accepted
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

struct Last {
  ~Last() { usleep(20'000'000); }
} last;

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
