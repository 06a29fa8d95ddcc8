#pragma once

#include "common/lab/failing_runtime.h"

namespace lab {

// What a test in one process asks of the CUDA simulator. Without the simulator nothing happens.

// Before a function is called: from now on it is known who writes the outputs.
void BeginAccount();

// Its work is done, outputs are not fetched yet. Tells once of each function whose outputs come
// from the host: the grader refuses such a part. `function` is its name.
void EndAccount(const char* function);

// The simulator's means to let runtime calls fail.
const FailingRuntime& Runtime();

}  // namespace lab
