#include "common/cudasim/profile/lanes.h"

#include <sys/mman.h>

#include <algorithm>
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

bool IsPoll(const CheckedThread& thread, const Event& event) {
  const auto* const address = reinterpret_cast<const void*>(event.address);
  return event.operation != Operation::kWrite && thread.polls.Contains(address);
}

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
  static std::uint64_t started = 0;
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
  thread.serial = ++started;
  thread.polled = {};
  thread.updates_at = {};
  thread.turn_after = 0;
  thread.has_seen_old = false;
  thread.round = Round::kWorks;
  thread.floor = &CheckedThread::kNoFloor;
  thread.copies = {};
  thread.awaited = nullptr;
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

void UndoPolls(CheckedThread& thread) {
  const Event* const begin = thread.warp->Begin(thread.lane);
  for (unsigned left = kMaxPolls; left > 0; --left) {
    Event* poll = thread.next;
    do {
      if (poll == begin) return;
    } while ((--poll)->type == EventType::kBlock);
    if (!IsPoll(thread, *poll)) return;
    const auto events = static_cast<std::uint64_t>(thread.next - poll);
    thread.operations -= std::min(events, thread.operations - thread.operations_met);
    thread.next = poll;
  }
}

bool UndoWait(CheckedThread& thread) {
  Event* const begin = thread.warp->Begin(thread.lane);
  const std::uint64_t since = thread.operations - thread.awaited_at;
  if (since > static_cast<std::uint64_t>(thread.next - begin)) return false;
  Event* const first = thread.next - since;
  const auto is_block = [](const Event& event) { return event.type == EventType::kBlock; };
  if (!std::all_of(first, thread.next, is_block)) return false;
  thread.next = first;
  thread.operations = thread.awaited_at;
  return true;
}

Round RoundOf(const CheckedThread& thread) {
  constexpr std::uint64_t kMaxEvents = 16;  // of a round that only waits
  const Event* const begin = thread.warp->Begin(thread.lane);
  const std::uint64_t operations = thread.operations - thread.operations_met;
  if (operations > kMaxEvents || begin + operations != thread.next) return Round::kWorks;
  bool polls = false;
  for (const Event* event = begin; event < thread.next; ++event) {
    if (event->type == EventType::kBlock) continue;
    if (!IsPoll(thread, *event)) return Round::kWorks;
    polls = true;
  }
  if (!polls) return Round::kIdles;
  const bool in_vain = thread.polls.count > 0 && !thread.has_seen_old;
  return in_vain ? Round::kPollsInVain : Round::kWorks;
}

void FinishWarp(WarpLanes& warp) {
  if (warp.events == nullptr) return;
  FreeBuffers().push_back(warp.events);
  warp.events = nullptr;
}

}  // namespace cudasim
