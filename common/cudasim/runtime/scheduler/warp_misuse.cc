#include "common/cudasim/runtime/scheduler/warp_misuse.h"

#include <cstdio>

#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

std::string Where(const Site& site) {
  return "kernel " + std::string(RunningGrid()->source.name) + ", " + ToString(site) + ": ";
}

std::string Lane(unsigned lane) { return "lane " + std::to_string(lane); }

std::string DescribeLane(unsigned warp, unsigned lane) {
  return "thread " + ToString(ThreadIndex(warp * kLanes + lane)) + " of block " +
         ToString(blockIdx);
}

// Why `source` takes no part in a meeting of the running block.
std::string WhyAbsent(unsigned warp, const WarpMeeting& meeting, unsigned source) {
  if ((meeting.call.mask >> source & 1) == 0) {
    return "which is not in the mask " + Hex(meeting.call.mask);
  }
  if (warp * kLanes + source >= CurrentBlock()->threads) {
    return "which the block does not have: the last warp is not full";
  }
  return "which has returned";
}

}  // namespace

std::string Hex(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

void RefuseMask(const WarpCall& call) {
  const unsigned lane = CurrentThread() % kLanes;
  Report({"warp_invalid_mask",
          Where(call.site) + NameOf(call.operation) + " with mask " + Hex(call.mask) +
              ", which lacks the caller's own " + Lane(lane),
          {DescribeCurrentThread(), "a thread may only pass masks that name itself"}});
  MakeSticky(cudaErrorLaunchFailure);
  Worker::Current().Abandon();
}

void CheckSameOperation(const WarpCall& earlier, const WarpCall& call) {
  if (earlier.mask != call.mask || call.operation == WarpOperation::kActiveMask) return;
  Report({"warp_divergence",
          Where(call.site) + NameOf(call.operation) + " reached while other lanes of its mask " +
              Hex(call.mask) + " wait in " + NameOf(earlier.operation) + " at " +
              ToString(earlier.site),
          {DescribeCurrentThread(), "all lanes that a mask names must make the same call"}});
}

void ReportUndefinedLane(unsigned warp, const WarpMeeting& meeting, unsigned lane,
                         unsigned source) {
  Report({"warp_undefined_lane",
          Where(meeting.fibers[lane]->site) + NameOf(meeting.call.operation) +
              " takes the value of " + Lane(source) + ", " + WhyAbsent(warp, meeting, source),
          {DescribeLane(warp, lane) + ", " + Lane(lane), "on a GPU the value is undefined"}});
}

}  // namespace cudasim
