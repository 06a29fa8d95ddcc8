// Where the scheduler and the API tell the instrumented libraries, check and profile mode, what
// happens.  Each of the two defines every hook; in plain mode every hook is empty.
#pragma once

#include "common/cudasim/runtime/block.h"
#include "common/cudasim/runtime/grid.h"

namespace cudasim {

struct Allocation;

// Check mode: what is wrong ends the process.
#ifdef CUDASIM_CHECK
constexpr bool kCheckMode = true;
#else
constexpr bool kCheckMode = false;
#endif

// Check and profile mode: one OS thread runs everything, in a fixed order, and the hooks are
// called.
#ifdef CUDASIM_INSTRUMENTED
constexpr bool kInstrumented = true;

void OnGridBegin(Grid& grid);
void OnGridEnd(Grid& grid);
void OnBlockBegin(Block& block);
// All threads of the block have returned.
void OnBlockEnd(Block& block);
// A thread of the block is about to wait at `site`.
void OnBarrierArrive(Block& block, const Site& site);
// All live threads have arrived, the last one included; the barrier's queue is still full.
void OnBarrierRelease(Block& block);
// The thread that `fiber` carries is about to wait for other lanes of its warp at fiber.site.
void OnWarpArrive(Fiber& fiber);
// A collective of the lanes `mask` of warp `warp` completed.  `orders_memory`: __syncwarp and the
// sync of groups order the lanes' accesses; shuffles, votes and the like only exchange values.
void OnWarpRelease(Block& block, unsigned warp, unsigned mask, bool orders_memory);
// All threads of all blocks have arrived at grid.sync(); called once for each block.
void OnGridSync(Block& block);
void OnFence();
// The running thread goes on with the kernel's own code; its block's serials may have changed.
void OnKernelResumed();
// In a signal handler: the running thread has done nothing else for seconds.
void OnStandstill();
// The host, by an API call, has written [begin, begin + bytes) of device memory.
void OnHostWrite(const void* begin, std::size_t bytes);
void OnAllocate(const Allocation& allocation);
void OnFree(const Allocation& allocation);
#else
constexpr bool kInstrumented = false;

inline void OnGridBegin(Grid&) {}
inline void OnGridEnd(Grid&) {}
inline void OnBlockBegin(Block&) {}
inline void OnBlockEnd(Block&) {}
inline void OnBarrierArrive(Block&, const Site&) {}
inline void OnBarrierRelease(Block&) {}
inline void OnWarpArrive(Fiber&) {}
inline void OnWarpRelease(Block&, unsigned, unsigned, bool) {}
inline void OnGridSync(Block&) {}
inline void OnFence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void OnKernelResumed() {}
inline void OnStandstill() {}
inline void OnHostWrite(const void*, std::size_t) {}
inline void OnAllocate(const Allocation&) {}
inline void OnFree(const Allocation&) {}
#endif

}  // namespace cudasim
