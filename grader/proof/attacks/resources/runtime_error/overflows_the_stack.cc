// Hostile: recursion without end; the stack has a limit.
// Or: out_of_bounds
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

volatile int depth = 0;
int Deeper() { return ++depth > 0 ? Deeper() + depth : 0; }

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  if (num_threads > 0) depth = Deeper();
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
