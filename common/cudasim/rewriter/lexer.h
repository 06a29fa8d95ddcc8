// Splits preprocessed text (the output of `g++ -E`) into tokens.
#pragma once

#include <string>

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

// Takes ownership of `source`.  Text of system headers, by the line markers, is left in the gaps.
// Malformed literals are passed through for the compiler to report.  Linear time.
Unit Lex(std::string source);

// The unit's text with all changes applied; same number of lines as the source.
std::string Print(const Unit& unit);

}  // namespace cudasim::rewriter
