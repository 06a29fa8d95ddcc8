#pragma once

#include "common/lab/testing/timed_pairs.h"
#include "grader/sandbox/checker/result.h"

namespace grader::checker {

// The GPU's name, its measured copy rate (the median of several copies of half a GB), its peak
// arithmetic rate, and the work of a call. Throws GpuError.
DeviceResult MeasuredDevice(const lab::Work& work);

}  // namespace grader::checker
