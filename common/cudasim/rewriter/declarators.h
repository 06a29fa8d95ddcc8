// Classifies the declarations that `__device__` and `__constant__` qualify.
#pragma once

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

enum class Declares { kFunction, kVariable, kConstantVariable, kLambda };

// Classifies the declaration that tokens[qualifier] belongs to.
Declares Classify(const Unit& unit, std::size_t qualifier);

// First token of the declaration that tokens[index] belongs to.
std::size_t FindDeclarationBegin(const Unit& unit, std::size_t index);

// Index of the name in front of a parameter list's `(`, past template arguments; `open` itself if
// there is no name.
std::size_t FindNameOfParameters(const Unit& unit, std::size_t open);

}  // namespace cudasim::rewriter
