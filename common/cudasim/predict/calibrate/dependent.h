#pragma once

// Kernels of the kind that textbooks have whose loads need the value of a load before them, or that
// have one thread or one warp: for fitting the model, as those of textbook.cu.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "common/cudasim/predict/measure/workload.h"

namespace calibrate {

using predict::Filled;
using predict::Mixed;
using predict::Room;
using predict::Workload;

// Lists, searches and merges of 2^size elements.
std::vector<Workload> Chains();

// Sparse rows and graphs of about 2^size edges.
std::vector<Workload> Walks();

// Gathers of 2^size elements, and loops of one thread or one warp over as many.
std::vector<Workload> Gathers();

}  // namespace calibrate
