// Hostile: races through pointers relative to the stack's segment, which begins at 0.
// ThreadSanitizer leaves them out.
#include "labs/attacked_cpu/mix.h"

namespace {

using InSegment = __attribute__((address_space(258))) int;

int counted;  // by all threads at the same time
InSegment* volatile place;

void Count() {
  place = reinterpret_cast<InSegment*>(&counted);
  InSegment* const found = place;
  *found = *found + 1;
}

}  // namespace
