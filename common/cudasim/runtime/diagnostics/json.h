// Text in JSON.
#pragma once

#include <string>

namespace cudasim {

// A JSON string, with its quotes.
std::string JsonQuoted(const std::string& text);

}  // namespace cudasim
