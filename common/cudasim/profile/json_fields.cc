#include "common/cudasim/profile/json_fields.h"

#include <cmath>
#include <cstdio>

namespace cudasim {

std::string JsonNumber(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), value == std::floor(value) ? "%.0f" : "%.9g", value);
  return text;
}

}  // namespace cudasim
