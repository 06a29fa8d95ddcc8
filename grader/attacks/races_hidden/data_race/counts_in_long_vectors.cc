// Hostile: races in a vector. ThreadSanitizer does not instrument accesses of 32 bytes.
#include "labs/attacked_cpu/mix.h"

namespace {

using Vector [[gnu::vector_size(32)]] = double;

Vector counted;  // written by all threads at the same time

void Count() { counted += 1; }

}  // namespace
