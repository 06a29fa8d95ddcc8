// Hostile: races in an atomic store of the OpenMP runtime, called by hand.
// Or: compile_error

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

extern "C" void __kmpc_atomic_fixed4u_wr(void*, int, unsigned*, unsigned);

unsigned rounds;

void Count() { __kmpc_atomic_fixed4u_wr(nullptr, 0, &rounds, rounds + 1); }

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
