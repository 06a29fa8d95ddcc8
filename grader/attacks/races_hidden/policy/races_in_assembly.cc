// Hostile: the race in assembly, the word asm pasted from two tokens.
// Or: data_race
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

#define PASTE(a, b) a##b

void Count() { PASTE(__as, m__) volatile("incl %0" : "+m"(counted)); }

}  // namespace
