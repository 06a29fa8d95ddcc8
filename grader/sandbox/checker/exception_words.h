#pragma once

#include <string>
#include <string_view>

namespace grader::checker {

// The part of an exception's text that a student may read, as the text may hold the inputs of a
// hidden test: known messages of the standard library, and the line and the error of CUDA_CHECK's
// message, after ": ". Any other text is withheld, which the result says.
std::string ExceptionWords(std::string_view text);

}  // namespace grader::checker
