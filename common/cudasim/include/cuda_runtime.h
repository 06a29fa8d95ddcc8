// The CUDA runtime API on a CPU: what a `.cu` file or ordinary host code includes.
//
// Host code (any C++ compiler, no rewriting) gets the API, the vector types and dim3.  A `.cu` file
// (__CUDACC__, rewritten by //common/cudasim:rewrite) also gets the device language.
// common/cudasim/README.md lists what is simulated, approximated and refused.
#pragma once

#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define CUDART_VERSION 12000
#define __CUDASIM__ 1

#if defined(__CUDACC__) && defined(__clang__)
#ifndef __CUDA__  // an editor's clang reads the file as CUDA
#error "cudasim: clang does not compile for the simulator: use g++ (cudasim-cc: CXX=g++)"
#endif
#include "cudasim/editor.h"
// All that is declared below, also by standard headers, may be called from kernels.
#pragma clang force_cuda_host_device begin
#elif defined(__CUDACC__)
// The source is compiled once, for host and device; the device's branch is the one to simulate.
#define __CUDA_ARCH__ 900
#include "cudasim/redirect.h"  // must precede every standard header
#endif

#include "cudasim/api.h"
#include "cudasim/driver_types.h"
#include "cudasim/vector_types.h"

#if defined(__CUDACC__) || defined(CUDASIM_RUNTIME)
#include "cudasim/barriers.h"
#include "cudasim/classes.h"
#include "cudasim/discards.h"
#include "cudasim/instrumented.h"
#include "cudasim/launch.h"
#include "cudasim/launch_api.h"
#include "cudasim/registers.h"
#include "cudasim/rounding.h"
#include "cudasim/sanitizer_calls.h"
#include "cudasim/shared.h"
#include "cudasim/warp.h"
#endif

#ifdef __CUDACC__
#include <math.h>  // isnan(), signbit(), ... in the global namespace

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "cudasim/async_copies.h"
#include "cudasim/atomics.h"
#include "cudasim/cluster.h"
#include "cudasim/device_functions.h"
#include "cudasim/implicit_includes.h"
#include "cudasim/lockstep.h"
#include "cudasim/math.h"
#include "cudasim/ordered_atomics.h"
#include "cudasim/phases.h"
#include "cudasim/ptx.h"
#include "cudasim/ptx_mma.h"
#include "cudasim/qualifiers.h"

#undef CUDASIM_CHECK  // the program's own code is the same in all modes
#elif !defined(CUDASIM_RUNTIME)
#include "cudasim/host_qualifiers.h"
#endif

#ifndef CUDASIM_RUNTIME
#include "cudasim/unsupported.h"
#endif

#if defined(__CUDACC__) && defined(__clang__)
#pragma clang force_cuda_host_device end
#endif
