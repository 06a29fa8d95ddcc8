// Restarts the epochs in a long program.
//
// A cell has room for kEpochLimit epochs.  Everything before a launch happens before it, so between
// launches all cells may be cleared and the epochs restarted.  Work of other streams that is not
// ordered with the launch is the exception: while there is such work, epochs restart only when few
// are left, and races between its kernels and later ones may then be missed.
#pragma once

#include "common/cudasim/check/state.h"

namespace cudasim {

// A block's state.  Like the block, it is never destroyed.
CheckedBlock* NewCheckedBlock();

// To be called before each launch.
void ResetEpochsIfLow();

}  // namespace cudasim
