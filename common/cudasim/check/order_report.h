// What an attempt to order two accesses by a flag lacks.
#pragma once

#include <string>
#include <vector>

#include "common/cudasim/check/race.h"

namespace cudasim {

// True if a flag other than the word itself passes the earlier access on to the later access's
// thread: written after the one, and read before the other.
bool IsHandedOver(const Race& race);

// True if the thread has waited for such a flag, for a word that a volatile write has changed
// before: the order of both writes is known, and that the thread has seen the second.
bool IsAwaited(const Race& race);

// Lines that say which side of that flag lacks what, or that a scope is too narrow; empty if there
// is no such flag.
std::vector<std::string> ExplainFlag(const Race& race);

// Warns, once for each pair of places, that nothing but a count of arrivals orders the race.
void WarnOfCount(const Race& race);

}  // namespace cudasim
