#pragma once

#include "common/lab/timed_pairs.h"

namespace grader::checker {

// Records for the running test what the GPU is called, how fast it copies (measured: the median of
// several copies of half a GB), how fast it could add and multiply, and the work of a call. Throws
// GpuError.
void RecordDevice(const lab::Work& work);

}  // namespace grader::checker
