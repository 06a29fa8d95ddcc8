// The lanes of one warp, each with a buffer of the events that have not been aligned yet.
//
// The simulator runs threads one after another, so the lanes of a warp do not run in lockstep.
// Alignment, which turns their events into instructions of the warp, takes place when no lane can
// run on: each has returned, waits, or has filled its buffer.
#pragma once

#include <array>
#include <cstdint>

#include "common/cudasim/instrument/polling.h"
#include "common/cudasim/profile/barrier_trace.h"
#include "common/cudasim/profile/branches.h"
#include "common/cudasim/profile/copies_under_way.h"
#include "common/cudasim/profile/dependent_loads.h"
#include "common/cudasim/profile/event.h"
#include "common/cudasim/profile/model.h"
#include "common/cudasim/profile/sectors.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/thread_indices.h"

namespace cudasim {

struct WarpLanes;

// What a lane has done since it met others of its warp.
enum class Round : std::uint8_t {
  kWorks,
  kIdles,        // nothing but basic blocks
  kPollsInVain,  // nothing else but looks at words that have not changed
};

// Profile mode's state of the thread that a fiber runs.
struct CheckedThread {
  static constexpr unsigned kMaxDepth = 64;

  WarpLanes* warp = nullptr;
  unsigned lane = 0;
  Event* next = nullptr;  // where the next event goes
  Event* end = nullptr;
  unsigned depth = 0;      // of calls
  std::uint16_t path = 0;  // see Event
  std::array<std::uint32_t, kMaxDepth> hashes{};
  Polls polls;
  // Work and span: the thread's clock stands at operations + waited + *floor.
  std::uint64_t operations = 0;            // its own accesses and basic blocks
  std::uint64_t waited = 0;                // modulo 2^64
  const std::uint64_t* floor = &kNoFloor;  // the block's after its first barrier
  std::uint64_t operations_met = 0;        // when it last met other threads
  bool awaits_block = false;               // has read what another block hands on; see BlockChain
  CopiesUnderWay copies;
  const void* awaited = nullptr;  // the barrier in memory that it waited for last
  std::uint64_t awaited_at = 0;   // its operations when it began to
  // For UsefulWork: numbers of threads begin with the first of a block.
  std::uint32_t number = 0;
  std::uint32_t block_begin = 0;  // of its block
  std::uint32_t block_threads = 0;
  std::uint32_t writer_begin = 0;  // of the block whose words it read last
  std::uint32_t writer_threads = 0;
  std::uint64_t bytes_read = 0;
  // For Waits.
  std::uint64_t serial = 0;  // of the thread: fibers are used again
  // The words whose last stores it did not see when it polled them last.
  std::array<const void*, Polls::kWords> polled{};
  std::uint64_t polled_at = 0;              // its operations then
  bool has_seen_old = false;                // since it met others of its warp
  std::array<const void*, 4> updates_at{};  // the places of its last atomic operations, and
  std::uint64_t turn_after = 0;             // where the block's clock stood at the last of them
  Round round = Round::kWorks;

  static constexpr std::uint64_t kNoFloor = 0;

  std::uint64_t clock() const { return operations + waited + *floor; }
  void AdvanceTo(std::uint64_t clock) {
    waited = clock - operations - *floor;
    operations_met = operations;
  }
  void ResetEnd();

  // Its clock when it last met other threads: what others did until then it may depend on.
  std::uint64_t met() const { return clock() - (operations - operations_met); }
};

struct WarpLanes {
  static constexpr unsigned kCapacity = 4096;  // events of a lane
  // From a lane's buffer to the next one's: lanes do not compete for the same cache sets.
  static constexpr unsigned kStride = kCapacity + 20;

  // Masks of lanes.
  std::uint32_t lanes = 0;     // all of the warp
  std::uint32_t quiet = 0;     // cannot run on
  std::uint32_t returned = 0;  // from the kernel
  std::uint32_t full = 0;      // have a full buffer
  Event* events = nullptr;     // kStride for each lane; null until a lane starts
  std::array<Event*, kWarpLanes> end{};
  std::array<CheckedThread*, kWarpLanes> thread{};  // null before it starts and after it returned
  BranchTracker branches;
  WarpLoads loads;
  WarpClock clock;

  Event* Begin(unsigned lane) const { return events + std::size_t{lane} * kStride; }
};

inline void CheckedThread::ResetEnd() { end = warp->Begin(lane) + WarpLanes::kCapacity; }

struct CheckedBlock {
  std::vector<WarpLanes> warps;
  unsigned count = 0;  // warps in use
  ThreadIndices next_thread;
  // Clocks; see work_span.h.
  std::uint64_t latest = 0;  // the latest of a thread that arrived at the next barrier or returned
  std::uint64_t floor = 0;   // at which the last barrier released its threads
  // Of the cluster's barrier, if the block is the first one of it.
  std::uint64_t cluster_latest = 0;
  std::uint64_t cluster_floor = 0;
  BarrierTrace barriers;
};

// Makes the warp an empty one of `threads` lanes.
void ResetWarp(WarpLanes& warp, unsigned threads);

void StartLane(WarpLanes& warp, unsigned lane, CheckedThread& thread);

// The lane waits or has a full buffer.  Aligns the warp if now no lane can run on.
void QuietLane(CheckedThread& thread);

// The lane has returned from the kernel.
void EndLane(CheckedThread& thread);

// The lanes in `mask` can run on.
void WakeLanes(WarpLanes& warp, std::uint32_t mask);

// Makes room for an event of the running thread; other threads may run meanwhile.
void MakeRoom(CheckedThread& thread);

// The running thread has polled in vain kMaxPolls times.  Takes the polls back, as far as they are
// not aligned: waiting is no work, and takes as long as what the thread waits for.
void UndoPolls(CheckedThread& thread);

// Takes back the basic blocks that the running thread has run since it began to wait for a barrier
// in memory. False if it has done anything else.
bool UndoWait(CheckedThread& thread);

// Of the running thread, which is about to meet others of its warp.
Round RoundOf(const CheckedThread& thread);

// Returns the warp's buffers to the pool.
void FinishWarp(WarpLanes& warp);

}  // namespace cudasim
