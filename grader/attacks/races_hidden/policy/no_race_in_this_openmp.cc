// Hostile: detects the race checker's build by the version of OpenMP, which differs between the
// compilers.
// Or: data_race
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

#if _OPENMP != 201511
void Count() { __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST); }
#else
void Count() { ++counted; }
#endif

}  // namespace
