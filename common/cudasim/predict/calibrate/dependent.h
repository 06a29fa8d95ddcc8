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

// The first element that is not less than the key.
__device__ inline unsigned LowerBound(const unsigned* sorted, unsigned n, unsigned key) {
  unsigned low = 0;
  unsigned high = n;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (sorted[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Searches in 2^size elements.
std::vector<Workload> Searches();

// Lists, searches and merges of 2^size elements.
std::vector<Workload> Chains();

// Sparse rows and graphs of about 2^size edges.
std::vector<Workload> Walks();

// Gathers of 2^size elements, and loops of one thread or one warp over as many.
std::vector<Workload> Gathers();

}  // namespace calibrate
