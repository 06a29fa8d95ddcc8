// Check mode's notes on the running grid, its blocks and threads.  One OS thread runs all of them,
// so nothing here is locked.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "common/cudasim/check/now.h"
#include "common/cudasim/check/shadow.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

// What a thread knows of others through fences and atomics: for (block, thread) the serial before
// which everything in that block is ordered, and the serial up to which that thread's own accesses
// are.
class Knowledge {
 public:
  struct Entry {
    Serial block_before = 0;
    Serial thread_until = 0;
  };

  void Learn(unsigned block, ThreadId thread, const Entry& entry);
  void Learn(const Knowledge& other);
  // True if an access by `thread` of `block` at `serial` happened before what is known.
  bool Orders(unsigned block, ThreadId thread, Serial serial) const;
  bool empty() const { return entries_.empty(); }
  void Clear() { entries_.clear(); }

 private:
  std::map<std::pair<unsigned, ThreadId>, Entry> entries_;
};

struct WarpClocks;

struct CheckedBlock {
  Serial begin = 0;     // when the block started
  Serial epoch = 0;     // when its last barrier was released
  Serial current = 0;   // of accesses made now
  Shadow shadow;        // of shared memory
  Knowledge knowledge;  // of all its threads, since its last barrier
  unsigned linear = 0;  // in its grid
  ThreadId first_thread = 0;
  unsigned row = 0;     // threads in a row
  uint3 next_thread{};  // to start
  uint3 first_returned{};
  WarpClocks* warp_clocks = nullptr;  // warp_order.cc
};

struct CheckedThread {
  unsigned in_block = 0;
  Serial fence = 0;  // serial of its last fence; 0: none
  Knowledge knowledge;
  Polls polls;
};

struct CheckedGrid {
  Grid* grid = nullptr;
  Serial begin = 0;  // serials below this belong to earlier launches or lie before a grid barrier
  Serial first = 0;  // where the launch began
};

extern CheckedGrid checked_grid;

// The next serial, which from now on names this block.  Serials repeat only after RestartSerials().
Serial NextSerial(const Block& block);

// The newest serial.
Serial LastSerial();

// A launch cannot have more; smaller in tests.
extern Serial serial_limit;

// Serials begin anew: no record is left that has one.
void RestartSerials();

void BeginGrid(Grid& grid);

// Brings `now` up to date: the running thread or its block's serials have changed.
void RefreshNow();

inline CheckedThread& ThisThread() { return *current_fiber->checked; }
inline CheckedBlock& ThisBlock() { return *CurrentBlock()->checked; }
inline ThreadId ThisThreadId() { return ThisBlock().first_thread + ThisThread().in_block; }

unsigned BlockOf(ThreadId thread);

// The block whose serial it is, in this launch.
unsigned BlockAt(Serial serial);

// The thread that made an access of this launch.
ThreadId ThreadIdOf(Record record);

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
