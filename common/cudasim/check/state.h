// Check mode's state of the running grid, its blocks and threads.  One OS thread runs all of them,
// so nothing here is locked.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "common/cudasim/check/shadow.h"
#include "common/cudasim/instrument/polling.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

// A sparse vector clock: for (block, thread) the epoch before which everything in that block
// happened before, and the epoch up to which that thread's own accesses did.  Only fences with
// atomics make entries.
class VectorClock {
 public:
  struct Entry {
    Epoch block_before = 0;
    Epoch thread_until = 0;
  };

  // The later of both, entry by entry.
  void Join(unsigned block, ThreadId thread, const Entry& entry);
  void Join(const VectorClock& other);
  // True if the access of `thread` of `block` at `epoch` happened before the clock.
  bool Includes(unsigned block, ThreadId thread, Epoch epoch) const;
  bool empty() const { return entries_.empty(); }
  void Clear() { entries_.clear(); }

 private:
  std::map<std::pair<unsigned, ThreadId>, Entry> entries_;
};

struct WarpClocks;

struct CheckedBlock {
  Epoch begin = 0;         // when the block started
  Epoch last_barrier = 0;  // when its last barrier was released
  Epoch current = 0;       // of accesses made now
  Shadow shadow;           // of shared memory
  VectorClock clock;       // of all its threads, since its last barrier
  unsigned linear = 0;     // in its grid
  ThreadId first_thread = 0;
  unsigned row = 0;     // threads in a row
  uint3 next_thread{};  // to start
  uint3 first_returned{};
  WarpClocks* warp_clocks = nullptr;  // warp_order.cc
};

struct CheckedThread {
  unsigned in_block = 0;
  Epoch fence = 0;  // epoch of its last fence; 0: none
  VectorClock clock;
  Polls polls;
};

struct CheckedGrid {
  Grid* grid = nullptr;
  Epoch begin = 0;  // epochs below this belong to earlier launches or lie before a grid barrier
  Epoch first = 0;  // where the launch began
};

// The next epoch, which from now on names this block.  Epochs repeat only after RestartEpochs().
Epoch NextEpoch(const Block& block);

// Epochs begin anew: no cell is left that has one.
void RestartEpochs();

void BeginGrid(Grid& grid);

// Brings `now` up to date: the running thread or its block's epochs have changed.
void RefreshNow();

inline CheckedThread& ThisThread() { return *current_fiber->checked; }
inline CheckedBlock& ThisBlock() { return *CurrentBlock()->checked; }
inline ThreadId ThisThreadId() { return ThisBlock().first_thread + ThisThread().in_block; }

unsigned BlockOf(ThreadId thread);

// The block whose epoch it is, in this launch.
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

// After a report of something that makes going on pointless: ends the launch as a GPU would.
[[noreturn]] void EndLaunch();

}  // namespace cudasim
