// Hostile: races in omp_capture_affinity, which writes its caller's text where no checker sees it.
#include <omp.h>

#include "labs/attacked_cpu/mix.h"

namespace {

char shared[8];  // written by all threads at the same time

void Count() { omp_capture_affinity(shared, sizeof shared, "x"); }

}  // namespace
