// Calls of warp collectives that are wrong on a GPU.
#pragma once

#include <string>

#include "common/cudasim/runtime/scheduler/warp.h"

namespace cudasim {

// "0x0000ffff".
std::string Hex(unsigned mask);

// The running thread's lane is not in the mask it passes: reported in every mode, and the launch
// ends with cudaErrorLaunchFailure.
[[noreturn]] void RefuseMask(const WarpCall& call);

// Check mode: reports two calls that name the same lanes but differ in what they do.
void CheckSameOperation(const WarpCall& earlier, const WarpCall& call);

// Check mode: reports that `lane` takes the value of `source`, which takes no part.
void ReportUndefinedLane(unsigned warp, const WarpMeeting& meeting, unsigned lane, unsigned source);

}  // namespace cudasim
