// The runtime's callbacks into the library of a mode.  The libraries of plain, check and profile
// mode each define every hook; a program links one of them.  On hot paths the caller tests
// kInstrumented first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cudasim {

struct Allocation;
struct Block;
struct Cluster;
struct Fiber;
struct Grid;
struct LaunchPoint;
struct Site;
struct StreamOperation;
struct Streams;
enum class SweepEvent : int;

// What a copy by an API call moves: one row of bytes.
struct HostCopy {
  const char* call;  // "cudaMemcpyAsync"
  void* to;
  const void* from;
  std::size_t bytes;
  const void* caller;  // return address
};

// Objects other than memory that one API call creates and another destroys.
enum class HandleKind {
  kStream,
  kEvent,
  kTextureObject,
  kSurfaceObject,
  kMemoryPool,
  kRegisteredMemory,
  kGraph,
  kExecutableGraph
};

// Grids, blocks and threads.

void OnGridBegin(Grid& grid);
void OnGridEnd(Grid& grid);
void OnBlockBegin(Block& block);
// All threads of the block have returned.
void OnBlockEnd(Block& block);
// A thread of the block is about to wait at `site`.
void OnBarrierArrive(Block& block, const Site& site);
// All live threads have arrived, the last one included; the barrier's queue still holds them.
void OnBarrierRelease(Block& block);
// The thread that `fiber` carries is about to wait for other lanes of its warp at fiber.site, or is
// the last one for which all lanes have waited.
void OnWarpArrive(Fiber& fiber);
// A collective of the lanes `mask` of warp `warp` completed.  `orders_memory`: __syncwarp and the
// sync of groups order the lanes' accesses; all others only exchange values.
void OnWarpRelease(Block& block, unsigned warp, unsigned mask, bool orders_memory);
// The thread that `fiber` carries is about to wait in grid.sync().
void OnGridArrive(Fiber& fiber);
// All threads of all blocks have arrived at grid.sync(); called once for each block.
void OnGridSync(Block& block);
// The running thread arrives at its cluster's barrier, by sync() or by barrier_arrive().
// `releases`: it orders what the thread did before; `waits`: the thread does nothing until the
// phase is complete.
void OnClusterArrive(Block& block, bool releases, bool waits);
// The thread that `fiber` carries is about to wait for the phase.
void OnClusterSuspend(Fiber& fiber);
// All live threads of the cluster have arrived; the queues still hold those that wait.
void OnClusterRelease(Cluster& cluster);
// The running thread has waited for the phase.
void OnClusterResume(Block& block);
// The running thread's fence; `block_only`: __threadfence_block().
void OnFence(bool block_only);
// The running thread returns to the kernel's own code; its block's epochs may have changed.
void OnKernelResumed();
// The running thread, the only one of a launch with KernelSource::is_library, begins a sweep, takes
// a step of it, or has taken all.
void OnSweep(SweepEvent event);
// In a signal handler: the running thread has made no progress for seconds.
void OnNoProgress();

// The running thread launches a grid.  What check mode knows of the thread; null in other modes.
std::shared_ptr<const LaunchPoint> OnChildLaunch();

// Memory.

// The host, by an API call, has written [begin, begin + bytes) of device memory.
void OnHostWrite(const void* begin, std::size_t bytes);
void OnAllocate(const Allocation& allocation);
void OnFree(const Allocation& allocation);
// An API call is about to copy, in either direction or on the device.
void OnHostCopy(const HostCopy& copy);
// An API call fills memory with a value of `width` bytes.  Returns the fill's number, which is
// passed to OnFillRow() for each row.
std::uint32_t OnFillBegin(const char* call, const void* caller, std::size_t width);
void OnFillRow(std::uint32_t number, const void* begin, std::size_t bytes);
// Pages of managed memory move to the device or to the host.
void OnPrefetch(const void* begin, std::size_t bytes, bool to_device);
// A launch passes parameters of `bytes` in all.
void OnParameters(std::size_t bytes);
// A texture fetch of a kernel, called at `pc`, reads an element here.
void OnTextureRead(const char* address, std::size_t bytes, const void* pc);
// Check mode: a kernel's read through the read-only cache, of a texture or a surface or by
// `is_ldg`.
void OnCachedRead(const char* address, std::size_t bytes, const void* pc, bool is_ldg = false);
// The allocation has become an argument of the function under test.
void OnNameArgument(const Allocation& allocation);
// The function has returned, and its caller uses the argument again.
void OnHandBack(const Allocation& argument);

// Streams: an operation was submitted.
void OnSubmit(Streams& streams, const StreamOperation& operation);
// The range is newly allocated: earlier accesses to its addresses cannot conflict with later ones.
void ForgetRanges(const void* begin, std::size_t bytes);

// Handles.  Thread-safe.
void OnMade(HandleKind kind, const void* handle, const void* caller);
void OnEnded(HandleKind kind, const void* handle);
void OnAllEnded();

}  // namespace cudasim
