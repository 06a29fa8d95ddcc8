// Text in JSON.
#pragma once

#include <string>

namespace cudasim {

// What stands between the quotes of a JSON string.
std::string JsonEscaped(const std::string& text);

}  // namespace cudasim
