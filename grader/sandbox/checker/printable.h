#pragma once

#include <string>
#include <string_view>

namespace grader::checker {

// `text` as valid UTF-8 that JSON and a terminal can take: other bytes, and control characters but
// tab and newline, become '?'.
std::string Printable(std::string_view text);

// Printable, with newlines as spaces.
std::string OneLine(std::string_view text);

}  // namespace grader::checker
