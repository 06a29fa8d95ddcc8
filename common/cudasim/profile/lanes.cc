#include "common/cudasim/profile/lanes.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/cudasim/profile/align.h"

namespace cudasim {
namespace {

// Pauses of a lane with a full buffer after which the warp is aligned although other lanes still
// run: they may wait for this lane in a way that the hooks do not see.
constexpr int kMaxPauses = 1000;

std::vector<Event*>& FreeBuffers() {
  static auto* const buffers = new std::vector<Event*>;
  return *buffers;
}

Event* TakeBuffer() {
  std::vector<Event*>& free = FreeBuffers();
  if (!free.empty()) {
    Event* const buffer = free.back();
    free.pop_back();
    return buffer;
  }
  const std::size_t bytes = sizeof(Event) * WarpLanes::kStride * kWarpLanes;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs(
        "error: out of memory for profile mode's events\n"
        "  next: raise the memory limit, or profile a smaller launch\n",
        stderr);
    std::abort();
  }
  return static_cast<Event*>(memory);
}

void NoteEnd(CheckedThread& thread) { thread.warp->end[thread.lane] = thread.next; }

// Aligns the events so far, those of lanes that still run included.
void AlignAsFarAsKnown(WarpLanes& warp) {
  for (CheckedThread* const thread : warp.thread) {
    if (thread != nullptr) NoteEnd(*thread);
  }
  AlignLanes(warp);
}

}  // namespace

void ResetWarp(WarpLanes& warp, unsigned threads) {
  FinishWarp(warp);
  warp.lanes = threads >= kWarpLanes ? ~0u : (1u << threads) - 1;
  warp.quiet = warp.returned = warp.full = 0;
  warp.thread = {};
  warp.branches.Clear();
}

void StartLane(WarpLanes& warp, unsigned lane, CheckedThread& thread) {
  if (warp.events == nullptr) {
    warp.events = TakeBuffer();
    for (unsigned i = 0; i < kWarpLanes; ++i) warp.end[i] = warp.Begin(i);
  }
  warp.thread[lane] = &thread;
  thread.warp = &warp;
  thread.lane = lane;
  thread.next = warp.Begin(lane);
  thread.ResetEnd();
  thread.depth = 0;
  thread.path = 0;
  thread.polls.Forget();
  thread.operations = thread.operations_met = thread.waited = 0;
  thread.awaits_block = false;
  thread.polled = nullptr;
  thread.floor = &CheckedThread::kNoFloor;
}

void QuietLane(CheckedThread& thread) {
  WarpLanes& warp = *thread.warp;
  NoteEnd(thread);
  warp.quiet |= 1u << thread.lane;
  if (warp.quiet == warp.lanes) AlignLanes(warp);
}

void EndLane(CheckedThread& thread) {
  WarpLanes& warp = *thread.warp;
  warp.returned |= 1u << thread.lane;
  QuietLane(thread);
  warp.thread[thread.lane] = nullptr;
  if (warp.returned == warp.lanes) FinishWarp(warp);
}

void WakeLanes(WarpLanes& warp, std::uint32_t mask) {
  warp.quiet &= ~mask;
  warp.quiet |= warp.returned | warp.full;
}

void MakeRoom(CheckedThread& thread) {
  in_kernel = false;
  WarpLanes& warp = *thread.warp;
  for (int pauses = 1; thread.next == thread.end; ++pauses) {
    warp.full |= 1u << thread.lane;
    QuietLane(thread);
    if (thread.next != thread.end) break;
    if (pauses == kMaxPauses) {
      AlignAsFarAsKnown(warp);
      pauses = 0;
    }
    cudasim_pause();
    in_kernel = false;
  }
  in_kernel = true;
}

void FinishWarp(WarpLanes& warp) {
  if (warp.events == nullptr) return;
  FreeBuffers().push_back(warp.events);
  warp.events = nullptr;
}

}  // namespace cudasim
