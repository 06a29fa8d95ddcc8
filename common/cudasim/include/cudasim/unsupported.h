// What a `.cu` file may name but the simulator does not run: a call is an error at compile time
// that says so, at the line of the call.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#define CUDASIM_REFUSE(Result, name)                                      \
  template <class... Arguments>                                           \
  __attribute__((noinline, error("cudasim: " #name " is not simulated; "  \
                                 "see common/cudasim/README.md"))) Result \
  name(Arguments...);

CUDASIM_REFUSE(cudaError_t, cudaMemcpy2D)
CUDASIM_REFUSE(cudaError_t, cudaMemcpy3D)
CUDASIM_REFUSE(cudaError_t, cudaMemset2D)
CUDASIM_REFUSE(cudaError_t, cudaMallocPitch)
CUDASIM_REFUSE(cudaError_t, cudaMalloc3D)
CUDASIM_REFUSE(cudaError_t, cudaMemPrefetchAsync)
CUDASIM_REFUSE(cudaError_t, cudaMemAdvise)
CUDASIM_REFUSE(cudaError_t, cudaHostRegister)
CUDASIM_REFUSE(cudaError_t, cudaHostGetDevicePointer)
CUDASIM_REFUSE(cudaError_t, cudaGraphLaunch)
CUDASIM_REFUSE(cudaError_t, cudaStreamBeginCapture)
CUDASIM_REFUSE(int, tex1D)
CUDASIM_REFUSE(int, tex1Dfetch)
CUDASIM_REFUSE(int, tex2D)
CUDASIM_REFUSE(int, surf2Dread)
CUDASIM_REFUSE(int, surf2Dwrite)
#undef CUDASIM_REFUSE
