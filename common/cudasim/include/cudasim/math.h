// Device functions beyond <cmath>.
#pragma once

#include "cudasim/math_conversions.h"
#include "cudasim/math_dpx.h"
#include "cudasim/math_float.h"
#include "cudasim/math_integer.h"
#include "cudasim/math_minmax.h"
#include "cudasim/math_simd.h"
#include "cudasim/math_special.h"
