// Hostile: races in std::to_chars of a floating-point number, which no checker sees.
#include <charconv>

#include "labs/attacked_cpu/mix.h"

namespace {

char shared[8];  // written by all threads at the same time

void Count() { std::to_chars(shared, shared + sizeof shared, 1.0); }

}  // namespace
