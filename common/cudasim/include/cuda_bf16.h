// Brain floating point, the upper half of a float, for host and device: types, conversions,
// arithmetic.  Results are rounded to nearest even; those of transcendental functions once, from a
// double.
#pragma once

#include "cuda_runtime.h"

#pragma clang force_cuda_host_device begin

#include "cudasim/small_float_functions.h"

using __nv_bfloat16 = ::cudasim::SmallFloat<::cudasim::BfloatFormat>;
using __nv_bfloat162 = ::cudasim::SmallFloat2<::cudasim::BfloatFormat>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

CUDASIM_SMALL_FLOAT(bfloat16, __nv_bfloat16, __nv_bfloat162, ::cudasim::BfloatFormat)

#pragma clang force_cuda_host_device end
