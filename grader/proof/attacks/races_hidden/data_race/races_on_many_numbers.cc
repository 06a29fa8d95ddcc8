// Hostile: races on more numbers than a sixteenth of the largest test's; the race checker sees
// sizes up to that of the tests, too.
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  unsigned counted = 0;  // by all threads at the same time
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    if (values.size() > 15'000) ++counted;
  }
}
