// The results of collectives.
#include <cstring>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/scheduler/warp.h"
#include "common/cudasim/runtime/scheduler/warp_misuse.h"

namespace cudasim {
namespace {

// Calls `visit(lane, request)` for each lane that takes part, in ascending order.
template <class Visit>
void ForEachLane(const WarpMeeting& meeting, Visit visit) {
  for (unsigned rest = meeting.arrived; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    visit(lane, *meeting.requests[lane]);
  }
}

void GiveAll(WarpMeeting& meeting, unsigned long long result) {
  ForEachLane(meeting, [&](unsigned, WarpRequest& request) { request.value = result; });
}

// The lane whose value `lane` takes, as PTX defines shfl.sync: beyond the end of its segment a lane
// keeps its own.
unsigned SourceLane(WarpOperation operation, unsigned lane, unsigned argument) {
  const unsigned by = argument & 31;
  const unsigned width = argument >> 8;
  const unsigned first = lane & ~(width - 1) & 31;
  const unsigned last = first + width - 1;
  unsigned source = first | (by & (width - 1));
  if (operation == WarpOperation::kShuffleUp) source = by > lane - first ? lane : lane - by;
  if (operation == WarpOperation::kShuffleDown) source = lane + by;
  if (operation == WarpOperation::kShuffleXor) source = lane ^ by;
  return source > last || source >= kLanes ? lane : source;
}

// The source lane of one lane.  What a lane that takes no part would give is undefined on a GPU;
// here the lane keeps its own value.
unsigned FindSource(unsigned warp, const WarpMeeting& meeting, unsigned lane,
                    const WarpRequest& request) {
  const unsigned source = SourceLane(meeting.call.operation, lane, request.argument);
  if (__builtin_expect((meeting.arrived >> source & 1) != 0, 1)) return source;
  if (kCheckMode) ReportUndefinedLane(warp, meeting, lane, source);
  return lane;
}

void ShuffleBytes(unsigned warp, WarpMeeting& meeting) {
  ForEachLane(meeting, [&](unsigned lane, WarpRequest& request) {
    const unsigned source = FindSource(warp, meeting, lane, request);
    std::memcpy(request.out, meeting.requests[source]->in, request.bytes);
  });
}

void Shuffle(unsigned warp, WarpMeeting& meeting) {
  if (meeting.requests[__builtin_ctz(meeting.arrived)]->in != nullptr) {
    ShuffleBytes(warp, meeting);
    return;
  }
  unsigned long long before[kLanes];
  ForEachLane(meeting, [&](unsigned lane, WarpRequest& request) { before[lane] = request.value; });
  ForEachLane(meeting, [&](unsigned lane, WarpRequest& request) {
    request.value = before[FindSource(warp, meeting, lane, request)];
  });
}

unsigned Ballot(const WarpMeeting& meeting) {
  unsigned votes = 0;
  ForEachLane(meeting, [&](unsigned lane, const WarpRequest& request) {
    votes |= static_cast<unsigned>(request.value != 0) << lane;
  });
  return votes;
}

void MatchAny(WarpMeeting& meeting) {
  unsigned equal[kLanes];
  ForEachLane(meeting, [&](unsigned lane, const WarpRequest& mine) {
    equal[lane] = 0;
    ForEachLane(meeting, [&](unsigned other, const WarpRequest& theirs) {
      equal[lane] |= static_cast<unsigned>(mine.value == theirs.value) << other;
    });
  });
  ForEachLane(meeting, [&](unsigned lane, WarpRequest& request) { request.value = equal[lane]; });
}

void MatchAll(WarpMeeting& meeting) {
  const unsigned long long first = meeting.requests[__builtin_ctz(meeting.arrived)]->value;
  bool equal = true;
  ForEachLane(meeting,
              [&](unsigned, const WarpRequest& request) { equal &= request.value == first; });
  GiveAll(meeting, equal ? meeting.call.mask : 0);
}

template <class T>
T Min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T Max(T a, T b) {
  return a < b ? b : a;
}

unsigned Combine(WarpOperation operation, unsigned a, unsigned b) {
  const int signed_a = static_cast<int>(a);
  const int signed_b = static_cast<int>(b);
  switch (operation) {
    case WarpOperation::kReduceAdd:
      return a + b;
    case WarpOperation::kReduceMinSigned:
      return static_cast<unsigned>(Min(signed_a, signed_b));
    case WarpOperation::kReduceMinUnsigned:
      return Min(a, b);
    case WarpOperation::kReduceMaxSigned:
      return static_cast<unsigned>(Max(signed_a, signed_b));
    case WarpOperation::kReduceMaxUnsigned:
      return Max(a, b);
    case WarpOperation::kReduceAnd:
      return a & b;
    case WarpOperation::kReduceOr:
      return a | b;
    default:
      return a ^ b;
  }
}

void Reduce(WarpMeeting& meeting) {
  const unsigned first = static_cast<unsigned>(__builtin_ctz(meeting.arrived));
  auto result = static_cast<unsigned>(meeting.requests[first]->value);
  ForEachLane(meeting, [&](unsigned lane, const WarpRequest& request) {
    if (lane == first) return;
    result = Combine(meeting.call.operation, result, static_cast<unsigned>(request.value));
  });
  GiveAll(meeting, result);
}

void RunCombine(WarpMeeting& meeting) {
  void* values[kLanes] = {};
  ForEachLane(meeting,
              [&](unsigned lane, const WarpRequest& request) { values[lane] = request.out; });
  meeting.call.combine(values, meeting.arrived);
}

}  // namespace

void ComputeResults(unsigned warp, WarpMeeting& meeting) {
  switch (meeting.call.operation) {
    case WarpOperation::kSync:
    case WarpOperation::kGroupSync:
      return;
    case WarpOperation::kShuffle:
    case WarpOperation::kShuffleUp:
    case WarpOperation::kShuffleDown:
    case WarpOperation::kShuffleXor:
      return Shuffle(warp, meeting);
    case WarpOperation::kBallot:
      return GiveAll(meeting, Ballot(meeting));
    case WarpOperation::kAny:
      return GiveAll(meeting, Ballot(meeting) != 0);
    case WarpOperation::kAll:
      return GiveAll(meeting, Ballot(meeting) == meeting.arrived);
    case WarpOperation::kMatchAny:
      return MatchAny(meeting);
    case WarpOperation::kMatchAll:
      return MatchAll(meeting);
    case WarpOperation::kCombine:
    case WarpOperation::kMatrix:
      return RunCombine(meeting);
    case WarpOperation::kActiveMask:
      return GiveAll(meeting, meeting.arrived);
    default:
      return Reduce(meeting);
  }
}

bool OrdersMemory(WarpOperation operation) {
  return operation == WarpOperation::kSync || operation == WarpOperation::kGroupSync;
}

const char* NameOf(WarpOperation operation) {
  static constexpr const char* kNames[] = {
      "__syncwarp()",        "sync() of a group",
      "__shfl_sync()",       "__shfl_up_sync()",
      "__shfl_down_sync()",  "__shfl_xor_sync()",
      "__ballot_sync()",     "__any_sync()",
      "__all_sync()",        "__match_any_sync()",
      "__match_all_sync()",  "__reduce_add_sync()",
      "__reduce_min_sync()", "__reduce_min_sync()",
      "__reduce_max_sync()", "__reduce_max_sync()",
      "__reduce_and_sync()", "__reduce_or_sync()",
      "__reduce_xor_sync()", "cooperative groups' reduce or scan",
      "a matrix operation",  "__activemask()"};
  return kNames[static_cast<int>(operation)];
}

}  // namespace cudasim
