// Small numbers for the places in the code that access memory.
#pragma once

#include <cstdint>

#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

constexpr unsigned kCodes = 1u << kCodeBits;  // number 0 is no place

// Where a place is looked for first.
inline unsigned FirstCode(const void* pc) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pc) * kGolden >> (64 - kCodeBits));
}

// The number of a place, which is entered if it is new; 0 when the table is full.
unsigned CodeFor(const void* pc);

}  // namespace cudasim
