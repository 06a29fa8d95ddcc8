// Functions that the compiler makes itself, which have no line of their own.
#pragma once

#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

// True for a class's implicit or defaulted constructor or assignment: its line is where the class
// is defined, and what it does is asked for elsewhere.
bool IsMadeByCompiler(const Place& function);

}  // namespace cudasim
