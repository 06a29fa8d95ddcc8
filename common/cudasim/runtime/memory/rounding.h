// Sizes, offsets and addresses rounded to multiples.
#pragma once

#include <cstddef>

namespace cudasim {

// The largest multiple of `to` that is not above `value`.
constexpr std::size_t RoundDown(std::size_t value, std::size_t to) { return value / to * to; }

// The smallest multiple of `to` that is not below `value`.
constexpr std::size_t RoundUp(std::size_t value, std::size_t to) {
  return RoundDown(value + to - 1, to);
}

}  // namespace cudasim
