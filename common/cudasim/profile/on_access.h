// Profile mode's side of instrument/on_access.h.
#pragma once

#include <cstddef>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/access.h"

namespace cudasim {

inline void OnAccess(const Access&) {}
inline void OnAtomic(const Access&, AtomicKind) {}
inline void OnRange(char*, std::size_t, Operation, const void*) {}
inline void OnFunctionEntry(const void*) {}
inline void OnFunctionExit() {}
inline void OnBasicBlock(const void*) {}

// Lets others run after some polls of the same address in a row.
void NoticePolling(const void* address);

}  // namespace cudasim
