// Warp collectives: shuffles, votes, __syncwarp() and their relatives.
//
// A collective is identified by its operation and its mask.  Lanes arrive in any order, each
// leaving a request on its own stack; the last one fills in all results at once, so the next
// collective of the same lanes cannot disturb them.  A lane that has returned counts as arrived.
#pragma once

#include <memory>
#include <vector>

#include "common/cudasim/runtime/scheduler/fiber.h"

namespace cudasim {

struct Block;

constexpr unsigned kLanes = 32;
constexpr unsigned kMaxWarps = 32;  // per block
constexpr unsigned kAllLanes = 0xffffffffu;

// One lane's input and result.
struct WarpRequest {
  unsigned long long value = 0;  // in: the lane's value; out: its result
  unsigned argument = 0;         // shuffles: LaneArgument()
  // Shuffles of large values, and what `combine` works on.
  const void* in = nullptr;
  void* out = nullptr;
  unsigned bytes = 0;
};

// A call of a collective; equal for all of its lanes but for the site.
struct WarpCall {
  WarpOperation operation;
  unsigned mask;
  Site site;
  WarpCombine combine = nullptr;
};

// A collective that some lanes have reached and others have not.
struct WarpMeeting {
  WarpCall call;
  unsigned arrived = 0;
  WarpMeeting* next = nullptr;  // open in the same warp, or spare
  Fiber* fibers[kLanes];
  WarpRequest* requests[kLanes];
};

struct Warp {
  unsigned returned = 0;  // lanes that have returned or do not exist; exact while `blocked`
  unsigned waiting = 0;   // lanes in a meeting
  unsigned asking = 0;    // lanes that wait in __activemask()
  WarpMeeting* open = nullptr;
};

// The warps of a resident block.  They are set up when a thread of the block first waits, so blocks
// whose threads never wait pay nothing.
class Warps {
 public:
  // The first `returned` of the block's `threads` have returned, the others have not.
  void Reset(unsigned threads, unsigned returned);

  Warp& operator[](unsigned warp) { return warps_[warp]; }
  unsigned count() const { return count_; }

  WarpMeeting* Open(Warp& warp, const WarpCall& call);
  void Close(Warp& warp, WarpMeeting* meeting);

 private:
  Warp warps_[kMaxWarps];
  unsigned count_ = 0;
  WarpMeeting* spare_ = nullptr;
  std::vector<std::unique_ptr<WarpMeeting>> meetings_;
};

// A thread has returned: completes the collectives that waited only for its lane.
void LaneReturned(Block& block, unsigned thread);

// Completes all calls of __activemask(), when nothing else in the block can run.  False if there
// are none.
bool AnswerActiveMasks(Block& block);

// Fills in the result of every lane in `meeting.arrived`.
void ComputeResults(unsigned warp, WarpMeeting& meeting);

// True for __syncwarp and the sync of groups, which order memory between their lanes.
bool OrdersMemory(WarpOperation operation);

// "__shfl_down_sync()" for reports.
const char* NameOf(WarpOperation operation);

}  // namespace cudasim
