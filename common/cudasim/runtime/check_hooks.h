// Where the scheduler and the API tell the instrumented libraries, check and profile mode, what
// happens.  Each of the two defines every hook; in plain mode every hook is empty.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cudasim/runtime/block.h"
#include "common/cudasim/runtime/grid.h"

namespace cudasim {

struct Allocation;

// What a copy by an API call moves: one row of bytes.
struct HostCopy {
  const char* call;  // "cudaMemcpyAsync"
  void* to;
  const void* from;
  std::size_t bytes;
  const void* caller;  // return address
};

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
// The thread that `fiber` carries is about to wait in grid.sync().
void OnGridArrive(Fiber& fiber);
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
// An API call is about to copy, in either direction or on the device.
void OnHostCopy(const HostCopy& copy);
// An API call fills memory with a value of `width` bytes.  Returns its number, which the fill of
// each row hands on.
std::uint32_t OnFillBegin(const char* call, const void* caller, std::size_t width);
void OnFillRow(std::uint32_t number, const void* begin, std::size_t bytes);
// A launch hands over parameters of so many bytes.
void OnParameters(std::size_t bytes);
// A texture fetch of a kernel, called at `pc`, reads an element here.
void OnTextureRead(const char* address, std::size_t bytes, const void* pc);
// The allocation has become an argument of the function under test.
void OnNameArgument(const Allocation& allocation);
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
inline void OnGridArrive(Fiber&) {}
inline void OnGridSync(Block&) {}
inline void OnFence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void OnKernelResumed() {}
inline void OnStandstill() {}
inline void OnHostWrite(const void*, std::size_t) {}
inline void OnAllocate(const Allocation&) {}
inline void OnFree(const Allocation&) {}
inline void OnHostCopy(const HostCopy&) {}
inline std::uint32_t OnFillBegin(const char*, const void*, std::size_t) { return 0; }
inline void OnFillRow(std::uint32_t, const void*, std::size_t) {}
inline void OnParameters(std::size_t) {}
inline void OnTextureRead(const char*, std::size_t, const void*) {}
inline void OnNameArgument(const Allocation&) {}
#endif

}  // namespace cudasim
