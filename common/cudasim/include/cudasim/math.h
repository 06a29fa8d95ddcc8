// Device functions beyond <cmath>.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#include "cudasim/math_conversions.h"
#include "cudasim/math_dpx.h"
#include "cudasim/math_float.h"
#include "cudasim/math_integer.h"
#include "cudasim/math_minmax.h"
#include "cudasim/math_simd.h"
#include "cudasim/math_special.h"
