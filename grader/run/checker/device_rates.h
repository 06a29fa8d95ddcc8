#pragma once

#include "common/lab/timed_pairs.h"
#include "grader/run/checker/result.h"

namespace grader::checker {

// What the GPU is called, how fast it copies (measured: the median of several copies of half a GB),
// how fast it could add and multiply, and the work of a call. Throws GpuError.
DeviceResult MeasuredDevice(const lab::Work& work);

}  // namespace grader::checker
