// Errors that the program never checks, neither the returned code nor the last error.
#pragma once

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// The calling thread's API call returns this error.
void NoteError(cudaError_t error);

// The calling thread has read its last error.
void ForgetLostError();

}  // namespace cudasim
