// IEEE half precision, for host and device: types, conversions, arithmetic.  Results are rounded to
// nearest even; those of transcendental functions once, from a double.
#pragma once

#include "cuda_runtime.h"

#pragma clang force_cuda_host_device begin

#include "cudasim/small_float_functions.h"

using __half = ::cudasim::SmallFloat<::cudasim::HalfFormat>;
using __half2 = ::cudasim::SmallFloat2<::cudasim::HalfFormat>;
using half = __half;
using half2 = __half2;

CUDASIM_SMALL_FLOAT(half, __half, __half2, ::cudasim::HalfFormat)

#pragma clang force_cuda_host_device end
