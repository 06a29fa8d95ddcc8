// Where the scheduler and the API tell check mode what happens.  In plain mode every hook is empty.
#pragma once

#include "common/cudasim/runtime/block.h"
#include "common/cudasim/runtime/grid.h"

namespace cudasim {

struct Allocation;

#ifdef CUDASIM_CHECK
constexpr bool kCheckMode = true;

void OnGridBegin(Grid& grid);
void OnGridEnd(Grid& grid);
void OnBlockBegin(Block& block);
// A thread of the block is about to wait at `site`.
void OnBarrierArrive(Block& block, const Site& site);
// All live threads have arrived, the last one included; the barrier's queue is still full.
void OnBarrierRelease(Block& block);
void OnFence();
void OnAllocate(const Allocation& allocation);
void OnFree(const Allocation& allocation);
#else
constexpr bool kCheckMode = false;

inline void OnGridBegin(Grid&) {}
inline void OnGridEnd(Grid&) {}
inline void OnBlockBegin(Block&) {}
inline void OnBarrierArrive(Block&, const Site&) {}
inline void OnBarrierRelease(Block&) {}
inline void OnFence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void OnAllocate(const Allocation&) {}
inline void OnFree(const Allocation&) {}
#endif

}  // namespace cudasim
