// nvcuda::wmma, matrix multiply and accumulate of a warp.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#ifdef __CUDACC__

#if defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif

#define CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H 1
#include "cudasim/wmma.h"
#undef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H

#if defined(__clang__)
#pragma clang force_cuda_host_device end
#endif

#endif
