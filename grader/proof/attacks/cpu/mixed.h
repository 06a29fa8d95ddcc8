#pragma once

#include <cstdint>

// For submissions that do the lab's work and something else: Mix for one number.
inline std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < 64; ++round) {
    value = (value ^ value >> 16) * 0x85ebca6b;
    value = (value ^ value >> 13) * 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}
