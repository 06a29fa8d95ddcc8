// threadIdx, blockIdx, blockDim, gridDim and warpSize.
#pragma once

#include "cudasim/vector_types.h"

namespace cudasim {

// blockDim and gridDim have no constructor of their own, so that they can live in plain
// thread-local storage; they convert to dim3 as in CUDA.
struct Extent {
  unsigned x, y, z;
  CUDASIM_INLINE operator dim3() const { return {x, y, z}; }
};

}  // namespace cudasim

// Instrumented code declares them const: the compiler then does not instrument their reads.
#if defined(CUDASIM_CHECK) && !defined(CUDASIM_RUNTIME)
#define CUDASIM_REGISTER extern __thread __attribute__((tls_model("initial-exec"))) const
#else
#define CUDASIM_REGISTER extern __thread __attribute__((tls_model("initial-exec")))
#endif

extern "C" {
CUDASIM_REGISTER uint3 threadIdx;
CUDASIM_REGISTER uint3 blockIdx;
CUDASIM_REGISTER cudasim::Extent blockDim;
CUDASIM_REGISTER cudasim::Extent gridDim;
CUDASIM_REGISTER cudasim::Extent cudasim_cluster_dim;  // in blocks
}
#undef CUDASIM_REGISTER

constexpr int warpSize = 32;
