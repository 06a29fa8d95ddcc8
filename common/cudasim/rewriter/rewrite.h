// CUDA C++ to C++, on preprocessed text.
#pragma once

#include <string>

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

// `source` is the output of `g++ -E`; the result has the same lines.  Throws RewriteError.  Linear
// time and memory.
std::string Rewrite(std::string source);

}  // namespace cudasim::rewriter
