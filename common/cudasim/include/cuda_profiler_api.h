// cudaProfilerStart and cudaProfilerStop: cuda_runtime.h declares them.
#pragma once

#include "cuda_runtime.h"
