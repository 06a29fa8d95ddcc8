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

CUDASIM_REFUSE(cudaError_t, cudaGraphLaunch)
CUDASIM_REFUSE(cudaError_t, cudaStreamBeginCapture)
CUDASIM_REFUSE(unsigned, __cvta_generic_to_shared)
CUDASIM_REFUSE(unsigned long long, __cvta_generic_to_global)
CUDASIM_REFUSE(cudaError_t, cudaBindTexture)
CUDASIM_REFUSE(cudaError_t, cudaBindTexture2D)
CUDASIM_REFUSE(cudaError_t, cudaBindTextureToArray)
CUDASIM_REFUSE(cudaError_t, cudaUnbindTexture)
CUDASIM_REFUSE(cudaError_t, cudaCreateSurfaceObject)
CUDASIM_REFUSE(cudaError_t, cudaMallocMipmappedArray)
CUDASIM_REFUSE(int, surf1Dread)
CUDASIM_REFUSE(int, surf1Dwrite)
CUDASIM_REFUSE(int, surf2Dread)
CUDASIM_REFUSE(int, surf2Dwrite)
#undef CUDASIM_REFUSE
