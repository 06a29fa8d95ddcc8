// Hostile: races in a bit-field. ThreadSanitizer does not instrument accesses of three bytes.
#include "labs/attacked_cpu/mix.h"

namespace {

struct {
  unsigned counted : 20;
  unsigned char other;
} shared;  // written by all threads at the same time

void Count() { ++shared.counted; }

}  // namespace
