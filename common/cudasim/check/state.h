// Check mode's state of the running grid, its blocks and threads.  One OS thread runs all of them,
// so nothing here is locked.
#pragma once

#include <string>

#include "common/cudasim/check/async_copies.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/shadow.h"
#include "common/cudasim/check/vector_clock.h"
#include "common/cudasim/instrument/polling.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/thread_indices.h"

namespace cudasim {

// What a thread, or a block at its last barrier, knows of others by fences with atomics.
struct SyncClocks {
  VectorClock known;      // happened before
  VectorClock in_block;   // observed; a fence of any scope makes it known
  VectorClock in_device;  // observed; a fence of device scope makes it known
  VectorClock counted;    // observed by counting arrivals, known or not

  void Join(const SyncClocks& other);
  bool empty() const;
  void Clear();
};

// An atomic or volatile read, for reports.
struct SyncRead {
  ThreadId thread = kNoThread;
  const void* address = nullptr;
  const void* pc = nullptr;
  Epoch at = 0;
  unsigned long long step = 0;  // of the launch's atomic and volatile accesses
  bool block_scope = false;
  bool acquires = false;  // by its order
};

struct WarpClocks;

// The latest access at one place of the code by threads of one other block to a block's shared
// memory.
struct OutsideAccess {
  Access access;
  ShadowCell stamp;
  unsigned block;
};

struct CheckedBlock {
  Epoch begin = 0;         // when the block started
  Epoch last_barrier = 0;  // when its last barrier was released
  Site passed;             // that barrier, if it is a __syncthreads()
  Epoch current = 0;       // the epoch of its accesses now
  Shadow shadow;           // of shared memory
  SyncClocks clocks;       // joined from all its threads at barriers
  VectorClock fenced;      // what fences of device scope before the last barrier have ordered
  unsigned linear = 0;     // in its grid
  ThreadId first_thread = 0;
  ThreadIndices next_thread;
  uint3 first_returned{};
  WarpClocks* warp_clocks = nullptr;  // warp_order.cc
  AsyncCopies copies;                 // in flight
  // See cluster_order.h.
  unsigned cluster_phases = 0;         // that a thread had waited for before the last barrier
  unsigned waits_in_cluster = 0;       // threads that wait for the current phase
  bool is_shared_outside = false;      // other blocks have accessed its shared memory
  std::vector<OutsideAccess> outside;  // that may come after its end

  static constexpr unsigned kSyncReads = 16;
  SyncRead sync_reads[kSyncReads] = {};  // of its threads, the latest ones
  unsigned next_sync_read = 0;
};

// A volatile read, which the thread's next write may depend on.
struct VolatileRead {
  const void* address = nullptr;
  unsigned code = 0;
  Epoch epoch = 0;
  unsigned times = 0;  // in a row
};

// A thread's atomic or volatile look at a word; see schedule.h.
struct Look {
  const void* address = nullptr;
  const void* pc = nullptr;
  unsigned long long value = 0;
  unsigned bytes = 0;
};

struct CheckedThread {
  unsigned in_block = 0;
  Epoch fence = 0;              // epoch of its last fence; 0: none
  Epoch device_fence = 0;       // of its last fence that is no __threadfence_block()
  Epoch fenced_barrier = 0;     // of its block, the last one before that fence
  unsigned cluster_phases = 0;  // of its cluster's barrier, that it has waited for
  SyncClocks clocks;
  bool has_clocks = false;  // some clock may have entries

  static constexpr unsigned kVolatileReads = 4;
  VolatileRead volatile_reads[kVolatileReads] = {};
  unsigned next_volatile_read = 0;
  static constexpr unsigned kLooks = 4;
  Look looks[kLooks] = {};
  unsigned looks_made = 0;
  const void* latest_read = nullptr;     // the latest atomic or volatile access, if it read
  const void* volatile_write = nullptr;  // the latest one
  Polls polls;
};

// What is left of a launch once it has ended.
struct EndedLaunch {
  Epoch first = 0;
  dim3 extent;        // of the grid, in blocks
  dim3 block_extent;  // in threads
};

extern EndedLaunch latest_launch __attribute__((visibility("hidden")));

struct CheckedGrid {
  Grid* grid = nullptr;
  Epoch begin = 0;  // epochs below this belong to earlier launches or lie before a grid barrier
  Epoch first = 0;  // where the launch began
};

extern CheckedGrid checked_grid __attribute__((visibility("hidden")));

// Begins an epoch that belongs to this block.  Epochs repeat only after RestartEpochs().
Epoch NextEpoch(const Block& block);

// Restarts the epochs.  No cell may hold an epoch any more.
void RestartEpochs();

void BeginGrid(Grid& grid);

// Updates `running` after a change of the running thread or of its block's epochs.
void RefreshNow();

inline CheckedThread& ThisThread() { return *current_fiber->checked; }
inline CheckedBlock& ThisBlock() { return *CurrentBlock()->checked; }
inline ThreadId ThisThreadId() { return ThisBlock().first_thread + ThisThread().in_block; }

// The index with this linear number.
uint3 Unflatten(unsigned linear, const dim3& extent);

unsigned BlockOf(ThreadId thread);

// The block that the epoch of this launch belongs to.
unsigned BlockAt(Epoch epoch);

// The thread that made an access of this launch.
ThreadId ThreadIdOf(ShadowCell cell);

// "thread (1, 0, 0) of block (2, 0, 0)".
std::string DescribeThread(ThreadId thread);

// "(1, 0, 0)": its index, and that of its block.
std::string DescribeIndexOf(ThreadId thread);
std::string DescribeBlockOf(ThreadId thread);

// "kernel Name".
std::string DescribeKernel();

// "launched at lab.cu:40 with grid (4, 1, 1) and block (256, 1, 1)".
std::string DescribeLaunch();

// Ends the launch with a sticky error, as a GPU would, after a finding that it cannot survive.
[[noreturn]] void EndLaunch();

}  // namespace cudasim
