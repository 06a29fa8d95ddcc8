// Happens-before by fences with atomic or volatile accesses, and by atomic operations that release
// and acquire.  It follows the memory consistency model of the PTX ISA (chapter "Memory Consistency
// Model"): a release pattern, observed by an acquire pattern, synchronises if the scopes of all
// four operations (both fences, both accesses of the flag) include both threads.
//
// Release pattern: a fence, then an atomic or volatile write of the thread.  Acquire pattern: an
// atomic or volatile read that observes it, then a fence.  Fence and access may be one operation,
// of libcu++ or of C++.  A fence may stand on the other side of a barrier than the access.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/no_destructor.h"
#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/check/state.h"

namespace cudasim {

// A thread's atomic or volatile write of an address, whether or not it releases.
struct SyncWrite {
  ThreadId thread;
  Epoch at;
  unsigned long long step;  // of the launch's atomic and volatile accesses
  Epoch last_barrier;       // of its block
  Epoch fence;              // the thread's last fence of any scope; 0: none
  Epoch device_fence;
  const void* pc;
  bool block_scope;
  bool releases;  // by its order
  bool combines;  // an atomicAdd() or the like, which may be a mere sum
};

struct Released {
  VectorClock to_device;                     // for all blocks
  unsigned releaser = 0;                     // the block that all of to_device is from,
  bool has_several = false;                  // unless it is from several
  std::map<unsigned, VectorClock> to_block;  // only for threads of that block
};

// What an address's writes have released.
struct Release {
  Released now;
  Released by_phase;  // of a barrier, when its last phase was complete
  static constexpr std::size_t kMaxWrites = 64;
  std::vector<SyncWrite> writes;  // the latest ones of each thread; for reports
  unsigned block = 0;             // of shared memory: the block whose it is
};

// By the address of a flag.
extern NoDestructor<std::unordered_map<const void*, Release>> releases
    __attribute__((visibility("hidden")));

// An atomic or volatile access of the current thread.
void SynchroniseThrough(const Access& access);

// A phase of the barrier in memory is complete: those that wait for it acquire what its arrivals
// have released, but not what arrivals in the next phase release.
void ReleasePhase(const void* barrier);

// To be called when all live threads of the block wait at its barrier, the last one still running.
// A thread's fence before a barrier covers the thread's own accesses, and those of the block before
// the barrier before; a fence behind the barrier covers those of all its threads.
void ShareFences(Block& block);

// Clears the releases of all addresses, at the begin of a launch.
void ForgetReleases();

// True if the current thread has observed, by an atomic or volatile read, that the access in the
// cell was released, whether or not a fence follows.  No stale value can be part of a race between
// two atomic or volatile accesses then.
bool IsObserved(ShadowCell cell);

// True if the current thread's block counts arrivals with atomics, and what it has counted says
// that the access in the cell was released.
bool IsCounted(ShadowCell cell);

}  // namespace cudasim
