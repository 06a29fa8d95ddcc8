// nvcuda::wmma, matrix multiply and accumulate of a warp.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#ifdef __CUDACC__

#pragma clang force_cuda_host_device begin

#include "cudasim/wmma.h"

#pragma clang force_cuda_host_device end

#endif
