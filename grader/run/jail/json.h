#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

// The text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string JsonString(std::string_view text);
std::string JsonArray(const std::vector<std::string>& texts);
std::string JsonNumber(double value);  // with a '.', whatever the locale

}  // namespace grader
