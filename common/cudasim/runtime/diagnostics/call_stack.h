// Where an interrupted kernel is in the program's own code.
#pragma once

#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

// In a signal handler, on the interrupted thread's own stack: remembers the calls that led here.
void RememberCallStack();

// The innermost of them that is neither the simulator's nor the standard library's; the standard
// library's if there is no other; without a file if there is none at all.
Place PlaceInCallStack();

}  // namespace cudasim
