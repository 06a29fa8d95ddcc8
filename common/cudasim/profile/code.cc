#include "common/cudasim/profile/code.h"

namespace cudasim {

const void* FromCodeOffset(CodeOffset offset) {
  return reinterpret_cast<const void*>(CodeAnchor() + offset);
}

}  // namespace cudasim
