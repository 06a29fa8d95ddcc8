// The mode of the program.  Defined by the library of the mode, which the program is linked with:
// known before any code runs.  Hidden, as what runs most often asks for it.
#pragma once

#define CUDASIM_MODE extern __attribute__((visibility("hidden"))) const bool

namespace cudasim {

// Check mode: what is wrong ends the process.
CUDASIM_MODE kCheckMode;

// Check and profile mode: one OS thread runs everything, in a fixed order, and kernels' accesses
// are known.
CUDASIM_MODE kInstrumented;

#undef CUDASIM_MODE

}  // namespace cudasim
