// Hostile: races in an atomic store of the OpenMP runtime, called by hand.
// Or: compile_error

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

extern "C" void __kmpc_atomic_fixed4u_wr(void*, int, unsigned*, unsigned);

unsigned rounds;

void Count() { __kmpc_atomic_fixed4u_wr(nullptr, 0, &rounds, rounds + 1); }

}  // namespace
