// The mode of the program, constants that the linked mode's library defines.  Hidden, which makes
// them cheap to test on hot paths.
#pragma once

#define CUDASIM_MODE extern __attribute__((visibility("hidden"))) const bool

namespace cudasim {

// Check mode: a finding ends the process.
CUDASIM_MODE kCheckMode;

// Check and profile mode: one OS thread runs everything, in a fixed order, and kernels' accesses
// are known.
CUDASIM_MODE kInstrumented;

#undef CUDASIM_MODE

}  // namespace cudasim
