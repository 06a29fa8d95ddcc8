// Functions and types that the simulator does not support: a call is a compile-time error that says
// so, at its line.
#pragma once

#define CUDASIM_NOT_SIMULATED(what) \
  "cudasim: " what " is not simulated; see common/cudasim/README.md"

#define CUDASIM_REFUSE(Result, name) \
  template <class... Arguments>      \
  __attribute__((noinline, error(CUDASIM_NOT_SIMULATED(#name)))) Result name(Arguments...);

// Called as tex2DLayered<float>(...).
#define CUDASIM_REFUSE_FETCH(name)       \
  template <class T, class... Arguments> \
  __attribute__((noinline, error(CUDASIM_NOT_SIMULATED(#name)))) T name(Arguments...);

// A type: an error where something of it is declared.
#define CUDASIM_REFUSE_TYPE(name) \
  struct __attribute__((unavailable(CUDASIM_NOT_SIMULATED(#name)))) name {};

CUDASIM_REFUSE(cudaError_t, cudaStreamBeginCaptureToGraph)
CUDASIM_REFUSE_TYPE(cudaIpcMemHandle_t)
CUDASIM_REFUSE_TYPE(cudaIpcEventHandle_t)
CUDASIM_REFUSE(cudaError_t, cudaIpcGetMemHandle)
CUDASIM_REFUSE(cudaError_t, cudaIpcOpenMemHandle)
CUDASIM_REFUSE(cudaError_t, cudaIpcCloseMemHandle)
CUDASIM_REFUSE(cudaError_t, cudaIpcGetEventHandle)
CUDASIM_REFUSE(cudaError_t, cudaIpcOpenEventHandle)
CUDASIM_REFUSE(cudaError_t, cudaBindTexture)
CUDASIM_REFUSE(cudaError_t, cudaBindTexture2D)
CUDASIM_REFUSE(cudaError_t, cudaBindTextureToArray)
CUDASIM_REFUSE(cudaError_t, cudaUnbindTexture)
CUDASIM_REFUSE(cudaError_t, cudaMallocMipmappedArray)
CUDASIM_REFUSE_FETCH(tex2DLod)
CUDASIM_REFUSE_FETCH(tex2Dgather)
CUDASIM_REFUSE_FETCH(tex1DGrad)
CUDASIM_REFUSE_FETCH(tex2DGrad)
CUDASIM_REFUSE_FETCH(tex3DLod)
CUDASIM_REFUSE_FETCH(texCubemapLod)
#undef CUDASIM_REFUSE
#undef CUDASIM_REFUSE_FETCH
#undef CUDASIM_REFUSE_TYPE
#undef CUDASIM_NOT_SIMULATED

// Functions that CUDA has removed for current GPUs.
#define CUDASIM_REFUSE_OLD(Result, name)                                                      \
  template <class T, class... Arguments>                                                      \
  __attribute__((noinline, error("cudasim: " #name " is not in CUDA for this GPU; use " #name \
                                 "_sync, whose first argument is the mask of lanes"))) Result \
  name(T, Arguments...);

CUDASIM_REFUSE_OLD(T, __shfl)
CUDASIM_REFUSE_OLD(T, __shfl_up)
CUDASIM_REFUSE_OLD(T, __shfl_down)
CUDASIM_REFUSE_OLD(T, __shfl_xor)
CUDASIM_REFUSE_OLD(int, __any)
CUDASIM_REFUSE_OLD(int, __all)
CUDASIM_REFUSE_OLD(unsigned, __ballot)
#undef CUDASIM_REFUSE_OLD
