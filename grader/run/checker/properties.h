#pragma once

#include <string>
#include <string_view>

namespace grader::checker {

// `text` as valid UTF-8 that JSON and a terminal can take: other bytes, and control characters but
// tab and newline, become '?'.
std::string Printable(std::string_view text);

// Printable, with newlines as spaces.
std::string OneLine(std::string_view text);

// Adds a property to the test that runs now, or outside of tests to the whole run. A second value
// for the same key replaces the first.
void Record(const std::string& key, std::string_view value);
void Record(const std::string& key, double value);

}  // namespace grader::checker
