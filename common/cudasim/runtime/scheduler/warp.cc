#include "common/cudasim/runtime/scheduler/warp.h"

#include <string_view>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/scheduler/spinning.h"
#include "common/cudasim/runtime/scheduler/warp_misuse.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

// A warp that makes one collective call after another must not starve other warps or blocks: it may
// be polling for what they write.
constexpr unsigned kMeetingsBeforeOtherWarps = 256;
constexpr unsigned kMeetingsBeforeOtherBlocks = 1u << 16;

unsigned LowLanes(unsigned count) { return count >= kLanes ? kAllLanes : (1u << count) - 1; }

// Calls of __activemask() match by their source line; the mask is the step of cudasim_lockstep().
bool Matches(const WarpMeeting& meeting, const WarpCall& call) {
  if (meeting.call.operation != call.operation || meeting.call.mask != call.mask) return false;
  if (call.operation != WarpOperation::kActiveMask) return true;
  return meeting.call.site.line == call.site.line &&
         std::string_view(meeting.call.site.file) == call.site.file;
}

WarpMeeting& Find(Warps& warps, Warp& warp, const WarpCall& call) {
  for (WarpMeeting* meeting = warp.open; meeting != nullptr; meeting = meeting->next) {
    if (Matches(*meeting, call)) return *meeting;
    if (kCheckMode) CheckSameOperation(meeting->call, call);
  }
  return *warps.Open(warp, call);
}

// Released lanes run before the rest of the block: their stacks are in the cache.
void Queue(Block& block, FiberQueue& lanes) {
  if (++block.meetings % kMeetingsBeforeOtherWarps == 0) {
    block.ready.Append(lanes);
  } else {
    block.ready.Prepend(lanes);
  }
}

// All lanes that the meeting waits for have arrived: each gets a result and goes on.
void Finish(Block& block, unsigned index, WarpMeeting& meeting) {
  Warp& warp = block.warps[index];
  const WarpOperation operation = meeting.call.operation;
  CountProgress();
  if (__builtin_expect(kInstrumented, 0))
    OnWarpRelease(block, index, meeting.arrived, OrdersMemory(operation));
  ComputeResults(index, meeting);
  FiberQueue lanes;
  for (unsigned rest = meeting.arrived; rest != 0; rest &= rest - 1) {
    Fiber* const fiber = meeting.fibers[__builtin_ctz(rest)];
    if (fiber != current_fiber) lanes.Push(fiber);
  }
  Queue(block, lanes);
  warp.waiting &= ~meeting.arrived;
  if (operation == WarpOperation::kActiveMask) warp.asking &= ~meeting.arrived;
  block.warps.Close(warp, &meeting);
}

// Completes the warp's calls of __activemask(), when none of its lanes can run.  False if there are
// none.
bool AnswerWarp(Block& block, unsigned index) {
  Warp& warp = block.warps[index];
  if (warp.asking == 0) return false;
  for (WarpMeeting* meeting = warp.open; meeting != nullptr;) {
    WarpMeeting* const next = meeting->next;
    if (meeting->call.operation == WarpOperation::kActiveMask) Finish(block, index, *meeting);
    meeting = next;
  }
  return true;
}

bool AllWait(const Warp& warp) { return (warp.waiting | warp.returned) == kAllLanes; }

// The running thread has left a meeting, but lets threads that have waited longer go first.
void LetOthersRun(Block& block) {
  block.ready.Push(current_fiber);
  if (block.next < block.threads) {
    Worker::Current().SwitchToNewThread();
  } else if (block.meetings >= kMeetingsBeforeOtherBlocks) {
    block.meetings = 0;
    ++block.pauses;
    Worker::Current().SwitchToWorker();
  } else {
    Worker::Current().Switch();
  }
}

void Meet(const WarpCall& call, WarpRequest& request) {
  const LeaveKernel leave;
  Block& block = *CurrentBlock();
  NoteWait(block);
  const unsigned thread = CurrentThread();
  const unsigned index = thread / kLanes;
  const unsigned lane = thread % kLanes;
  Warp& warp = block.warps[index];
  Fiber* const self = current_fiber;
  self->site = call.site;
  const bool asks = call.operation == WarpOperation::kActiveMask;
  if (!asks && (call.mask >> lane & 1) == 0) RefuseMask(call);
  WarpMeeting& meeting = Find(block.warps, warp, call);
  meeting.fibers[lane] = self;
  meeting.requests[lane] = &request;
  meeting.arrived |= 1u << lane;
  warp.waiting |= 1u << lane;
  if (asks) warp.asking |= 1u << lane;
  const bool complete = !asks && ((meeting.arrived | warp.returned) & call.mask) == call.mask;
  // The last of some lanes runs on at once: the warp has not come to rest.
  if (__builtin_expect(kInstrumented, 0) && (!complete || call.mask == kAllLanes)) {
    OnWarpArrive(*self);
  }
  if (complete) {
    Finish(block, index, meeting);
    if (block.meetings % kMeetingsBeforeOtherWarps == 0) LetOthersRun(block);
    return;
  }
  if (warp.asking != 0 && AllWait(warp)) {
    AnswerWarp(block, index);
    if (asks) return;
  }
  Worker::Current().Switch();
}

}  // namespace

void Warps::Reset(unsigned threads, unsigned returned) {
  count_ = (threads + kLanes - 1) / kLanes;
  for (unsigned i = 0; i < count_; ++i) {
    Warp& warp = warps_[i];
    // An aborted grid leaves meetings open.
    while (warp.open != nullptr) Close(warp, warp.open);
    const unsigned first = i * kLanes;
    const unsigned gone = returned > first ? returned - first : 0;
    const unsigned exist = threads - first;
    warp = {};
    warp.returned = LowLanes(gone) | ~LowLanes(exist);
  }
}

WarpMeeting* Warps::Open(Warp& warp, const WarpCall& call) {
  if (spare_ == nullptr) {
    meetings_.push_back(std::make_unique<WarpMeeting>());
    spare_ = meetings_.back().get();
  }
  WarpMeeting* const meeting = spare_;
  spare_ = meeting->next;
  meeting->call = call;
  meeting->arrived = 0;
  meeting->next = warp.open;
  warp.open = meeting;
  return meeting;
}

void Warps::Close(Warp& warp, WarpMeeting* meeting) {
  WarpMeeting** link = &warp.open;
  while (*link != meeting) link = &(*link)->next;
  *link = meeting->next;
  meeting->next = spare_;
  spare_ = meeting;
}

void LaneReturned(Block& block, unsigned thread) {
  const unsigned index = thread / kLanes;
  Warp& warp = block.warps[index];
  warp.returned |= 1u << thread % kLanes;
  if (warp.open == nullptr) return;
  for (WarpMeeting* meeting = warp.open; meeting != nullptr;) {
    WarpMeeting* const next = meeting->next;
    const unsigned mask = meeting->call.mask;
    if (meeting->call.operation != WarpOperation::kActiveMask &&
        ((meeting->arrived | warp.returned) & mask) == mask) {
      Finish(block, index, *meeting);
    }
    meeting = next;
  }
  if (AllWait(warp)) AnswerWarp(block, index);
}

bool AnswerActiveMasks(Block& block) {
  bool answered = false;
  if (!block.blocked) return false;
  for (unsigned i = 0; i < block.warps.count(); ++i) answered |= AnswerWarp(block, i);
  return answered;
}

}  // namespace cudasim

extern "C" {

unsigned long long cudasim_warp(const char* file, int line, cudasim::WarpOperation operation,
                                unsigned mask, unsigned long long value, unsigned argument) {
  cudasim::WarpRequest request;
  request.value = value;
  request.argument = argument;
  cudasim::Meet({operation, mask, {file, line}}, request);
  return request.value;
}

void cudasim_warp_shuffle(const char* file, int line, cudasim::WarpOperation operation,
                          unsigned mask, unsigned argument, const void* in, void* out,
                          unsigned bytes) {
  cudasim::WarpRequest request;
  request.argument = argument;
  request.in = in;
  request.out = out;
  request.bytes = bytes;
  cudasim::Meet({operation, mask, {file, line}}, request);
}

void cudasim_warp_combine(const char* file, int line, unsigned mask, cudasim::WarpCombine combine,
                          void* value) {
  cudasim::WarpRequest request;
  request.out = value;
  cudasim::Meet({cudasim::WarpOperation::kCombine, mask, {file, line}, combine}, request);
}

void cudasim_warp_matrix(const char* file, int line, cudasim::WarpCombine combine, void* value) {
  cudasim::WarpRequest request;
  request.out = value;
  cudasim::Meet({cudasim::WarpOperation::kMatrix, cudasim::kAllLanes, {file, line}, combine},
                request);
}

unsigned cudasim_activemask(const char* file, int line) {
  cudasim::WarpRequest request;
  cudasim::Meet({cudasim::WarpOperation::kActiveMask, 0, {file, line}}, request);
  return static_cast<unsigned>(request.value);
}

void cudasim_lockstep(const char* file, int line, unsigned step) {
  cudasim::WarpRequest request;
  cudasim::Meet({cudasim::WarpOperation::kActiveMask, step, {file, line}}, request);
}

}  // extern "C"
