// Where an interrupted kernel is in the program's own code.
#pragma once

#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

// In a signal handler, on the interrupted thread's own stack: remembers the calls that led here.
void RememberCallStack();

// The innermost of them that is not the simulator's; without a file if there is none.
Place PlaceInCallStack();

}  // namespace cudasim
