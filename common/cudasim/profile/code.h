// Code addresses in 32 bits.
#pragma once

#include <cstdint>

namespace cudasim {

// A code address relative to this library's code: 32 bits reach all of one program.  Ascends with
// the address.
using CodeOffset = std::uint32_t;
CodeOffset ToCodeOffset(const void* pc);
const void* FromCodeOffset(CodeOffset offset);

}  // namespace cudasim
