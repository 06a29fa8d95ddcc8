// Code addresses in 32 bits.
#pragma once

#include <cstdint>

namespace cudasim {

// A code address relative to this library's code: 32 bits reach all of one program.  Ascends with
// the address.
using CodeOffset = std::uint32_t;
const void* FromCodeOffset(CodeOffset offset);

// 2^31 below this library's code, so that code on either side of it has a positive offset.
inline std::uintptr_t CodeAnchor() {
  return reinterpret_cast<std::uintptr_t>(&FromCodeOffset) - (std::uintptr_t{1} << 31);
}

inline CodeOffset ToCodeOffset(const void* pc) {
  return static_cast<CodeOffset>(reinterpret_cast<std::uintptr_t>(pc) - CodeAnchor());
}

}  // namespace cudasim
