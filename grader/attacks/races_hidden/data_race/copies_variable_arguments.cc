// Hostile: races in a list of variable arguments, which the compiler begins and copies by
// instructions that ThreadSanitizer does not instrument.
#include <cstdarg>

#include "labs/attacked_cpu/mix.h"

namespace {

va_list shared;  // written by all threads at the same time

void Copy(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  va_copy(shared, arguments);
  va_end(arguments);
}

void Count() { Copy(1, 1); }

}  // namespace
