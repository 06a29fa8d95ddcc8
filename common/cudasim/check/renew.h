// New serials for a long program.
//
// A record has room for kSerialLimit of them.  Everything before a launch is ordered before it, so
// that between launches all records may be forgotten and serials begin anew.  What other streams do
// unordered with the launch is not: while there is such work, serials are renewed only when few are
// left, and races between its kernels and later ones may then be missed.
#pragma once

#include "common/cudasim/check/state.h"

namespace cudasim {

// A block's notes, which live as long as the block: for good.
CheckedBlock* NewCheckedBlock();

// Before a launch begins.
void RenewSerialsIfFew();

}  // namespace cudasim
