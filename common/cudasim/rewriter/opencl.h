// OpenCL C in raw string literals to the language of the other passes, as functions of the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

// `source` is the output of `g++ -E`.  Where it includes CL/cl.h, puts the kernels of each raw
// string literal behind the headers, in namespace opencl_c::program_N at the literal's own lines,
// with their registration by the literal's text; see include/cudasim/opencl_c.h.  Throws
// RewriteError.
std::string PlaceOpenClKernels(std::string source);

// The text of a program without comments, with its `#define NAME value` applied; same lines. Throws
// RewriteError for other directives.
std::string PreprocessOpenCl(std::string_view text, std::string_view file, int line);

// Turns OpenCL C's qualifiers and vector literals into CUDA's and C++'s.  Returns the names of the
// kernels.  Throws RewriteError for what OpenCL C does not have.
std::vector<std::string> RewriteOpenCl(Unit& unit);

}  // namespace cudasim::rewriter
