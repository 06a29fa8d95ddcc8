// Compiler-generated functions, which have no line of their own.
#pragma once

#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

// True for a class's implicit or defaulted constructor or assignment: its line is that of the
// class's definition, not of the copy in the program.
bool IsMadeByCompiler(const Place& function);

}  // namespace cudasim
