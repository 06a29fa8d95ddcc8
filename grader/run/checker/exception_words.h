#pragma once

#include <string>
#include <string_view>

namespace grader::checker {

// What a student is told of an exception's text, which may hold the inputs that the program was
// given: known sentences of the standard library, and of CUDA_CHECK's text the line and the error.
// Begins with ": "; says that there is more where that is so.
std::string ExceptionWords(std::string_view text);

}  // namespace grader::checker
