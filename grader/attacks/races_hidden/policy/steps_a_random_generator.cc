// Hostile: races in erand48, which the checker does not intercept.
#include <cstdlib>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned short state[3];

void Count() { erand48(state); }

}  // namespace
