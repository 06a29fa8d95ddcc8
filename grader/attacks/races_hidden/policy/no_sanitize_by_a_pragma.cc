// Hostile: switches the race checker off for the rest of the file, by an attribute in the string of
// a _Pragma.
// Or: data_race
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

#ifdef __has_warning
_Pragma("clang attribute push(__attribute__((no_sanitize(\"thread\"))), apply_to = function)")
#endif
    void Count() {
  ++counted;
}
#ifdef __has_warning
_Pragma("clang attribute pop")
#endif

}  // namespace
