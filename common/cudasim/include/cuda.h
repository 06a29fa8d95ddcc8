// A stand-in for the driver API header: its types appear in programs that never call it.
//
// The driver API itself (cuInit, cuLaunchKernel, modules, PTX) is not simulated: a call to it does
// not compile.
#pragma once

#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION
