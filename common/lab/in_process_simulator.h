#pragma once

#include <string>

#include "common/lab/company.h"
#include "common/lab/failing_runtime.h"

namespace lab {

// The in-process door's calls of the CUDA simulator. Without the simulator they do nothing.

// Called before the function: starts recording who writes the outputs.
void BeginAccount();

// Called when the function's work is done and its outputs are not fetched yet. Returns a warning,
// once for each function, if outputs come from the host: the grader refuses such a part. Else an
// empty text. `function` is its name.
std::string EndAccount(const char* function);

// The simulator's failure injection.
const FailingRuntime& Runtime();

// What tells the simulator of concurrent calls.
const SimulatedCallers& CallersOfSimulator();

}  // namespace lab
