// Check mode's side of instrument/on_access.h.
#pragma once

#include "common/cudasim/check/access.h"
#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

inline void OnAtomic(const Access& access, AtomicKind) { OnAccess(access); }
inline void OnResultUnused() {}
inline void OnFunctionEntry(const void*) {}
inline void OnFunctionExit() {}
inline void OnBasicBlock(const void*) {}

}  // namespace cudasim
