// What is said of two accesses that race.
#pragma once

#include "common/cudasim/check/race.h"

namespace cudasim {

// Races between the same two places, of the same kinds, are one finding: which one is remembered,
// so that a kernel that races a million times can go on.
void ReportRace(const Race& race);

}  // namespace cudasim
