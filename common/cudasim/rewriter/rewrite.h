// CUDA C++ to C++, on preprocessed text.
#pragma once

#include <string>
#include <vector>

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

enum class Linkage {
  kAcrossFiles,  // relocatable device code: `extern __device__` finds what other files define
  kOneFile,      // what is only __device__ or __constant__ is internal to its file, nvcc's default
};

// `source` is the output of `g++ -E`; the result has the same line structure.  Throws RewriteError.
// Linear time and memory.  Adds to `notes`, unless it is null, what is legal but seldom meant.
std::string Rewrite(std::string source, Linkage linkage = Linkage::kAcrossFiles,
                    std::vector<std::string>* notes = nullptr);

}  // namespace cudasim::rewriter
