// Code addresses in 32 bits.
#pragma once

#include <cstdint>

namespace cudasim {

// A code address relative to the kernels' library: 32 bits reach all of it, but not from the
// simulator, which may be another one. Ascends with the address.
using CodeOffset = std::uint32_t;

// Of the first kernel, so that code on either side of it has a positive offset.
inline constexpr CodeOffset kFirstKernel = CodeOffset{1} << 31;

// What offsets count from. Set before a kernel's threads run.
inline std::uintptr_t code_anchor = 0;

inline void AnchorCode(std::uintptr_t kernel) {
  if (code_anchor == 0) code_anchor = kernel - kFirstKernel;
}

inline const void* FromCodeOffset(CodeOffset offset) {
  return reinterpret_cast<const void*>(code_anchor + offset);
}

inline CodeOffset ToCodeOffset(const void* pc) {
  return static_cast<CodeOffset>(reinterpret_cast<std::uintptr_t>(pc) - code_anchor);
}

}  // namespace cudasim
