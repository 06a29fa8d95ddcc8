#include "common/cudasim/profile/code.h"

namespace cudasim {
namespace {

// 2^31 below this library's code, so that code on either side of it has a positive offset.
std::uintptr_t Anchor() {
  return reinterpret_cast<std::uintptr_t>(&ToCodeOffset) - (std::uintptr_t{1} << 31);
}

}  // namespace

CodeOffset ToCodeOffset(const void* pc) {
  return static_cast<CodeOffset>(reinterpret_cast<std::uintptr_t>(pc) - Anchor());
}

const void* FromCodeOffset(CodeOffset offset) {
  return reinterpret_cast<const void*>(Anchor() + offset);
}

}  // namespace cudasim
