// Lets epochs begin anew in a long program.
//
// A cell has room for kEpochLimit of them.  Everything before a launch is ordered before it, so
// that between launches all cells may be forgotten and epochs begin anew.  What other streams do
// unordered with the launch is not: while there is such work, epochs are reset only when few are
// left, and races between its kernels and later ones may then be missed.
#pragma once

#include "common/cudasim/check/state.h"

namespace cudasim {

// A block's state, which lives as long as the block: for good.
CheckedBlock* NewCheckedBlock();

// Before a launch begins.
void ResetEpochsIfFew();

}  // namespace cudasim
