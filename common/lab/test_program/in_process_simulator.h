#pragma once

#include <string>

#include "common/lab/exports/simulator.h"

namespace lab {

// What a call in the process asks of the CUDA simulator. Without the simulator these do nothing.

// Called before the function: starts recording who writes the outputs.
void BeginAccount();

// Called when the function's work is done and its outputs are not fetched yet. Returns a warning,
// once for each function, if outputs come from the host: the grader refuses such a part. Else an
// empty text. `function` is its name.
std::string EndAccount(const char* function);

}  // namespace lab
