// __pipeline_memcpy_async(), __mbarrier_init() and their relatives.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDACC__

#pragma clang force_cuda_host_device begin

#include "cudasim/pipeline_primitives.h"

#pragma clang force_cuda_host_device end

#endif
