// A hash table from code addresses that access memory to numbers that fit into a shadow cell.
#pragma once

#include <cstdint>

#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

constexpr unsigned kCodes = 1u << kCodeBits;  // 0 stands for no address

// Where probing for an address begins.
inline unsigned FirstCode(const void* pc) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pc) * kGolden >> (64 - kCodeBits));
}

// The number of an address, which is inserted if it is new; 0 if the table is full.
unsigned CodeFor(const void* pc);

}  // namespace cudasim
