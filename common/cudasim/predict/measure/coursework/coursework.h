#pragma once

// Programs as courses on parallel programming teach them, of other kinds than those of
// blind/blind.h: what the fourth model was judged by.

#include <cuda_runtime.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/cudasim/predict/measure/compared_versions.h"

namespace predict::coursework {

std::vector<Problem> Reductions();
std::vector<Problem> Scans();
std::vector<Problem> Stencils();
std::vector<Problem> Steps();
std::vector<Problem> Dense();
std::vector<Problem> Rows();
std::vector<Problem> Sparse();
std::vector<Problem> Frontiers();
std::vector<Problem> Arithmetic();
std::vector<Problem> Layouts();

}  // namespace predict::coursework
