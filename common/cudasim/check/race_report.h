// Reports of data races.
#pragma once

#include "common/cudasim/check/race.h"

namespace cudasim {

// Reports the first race between two places of the same kinds of access; further ones only raise
// that finding's count, so that a kernel with a million races can go on.
void ReportRace(const Race& race);

}  // namespace cudasim
