// Hostile: races in a long double. ThreadSanitizer does not instrument accesses of 10 bytes.
#include "labs/attacked_cpu/mix.h"

namespace {

long double sum;  // written by all threads at the same time

void Count() { sum += 1; }

}  // namespace
