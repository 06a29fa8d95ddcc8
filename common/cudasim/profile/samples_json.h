// The part of the profile's JSON that pictures are drawn from: common/cudasim/pictures reads it.
#pragma once

#include <string>
#include <vector>

#include "common/cudasim/profile/call_samples.h"
#include "common/cudasim/profile/findings.h"
#include "common/cudasim/profile/json_fields.h"
#include "common/cudasim/profile/kernel_profile.h"

namespace cudasim {

// "cost", "waste", "samples", the first, the median and the worst request, and "costs".
void AddSamples(const LineFinding& line, Fields& fields);

// Of a kernel: the operations of each line, branches, a block's barriers, limits of occupancy.
std::string SamplesJson(const KernelProfile& profile);

std::string CallsJson(const std::vector<CallSample>& calls);

}  // namespace cudasim
