#include "common/cudasim/profile/work_span.h"

#include <algorithm>
#include <bit>

namespace cudasim {

WorkSpan launch_work_span;

namespace {

// The latest clock of a thread that has arrived at grid.sync().  Clocks only grow, and all threads
// arrive before any leaves, so it need not be reset between rounds.
std::uint64_t grid_clock = 0;

struct Sweep {
  unsigned depth = 0;  // of sweeps in steps
  std::uint64_t begin = 0;
  std::uint64_t last = 0;  // when the last step began
  std::uint64_t longest = 0;
  std::uint64_t steps = 0;

  void EndStep(std::uint64_t now) {
    longest = std::max(longest, now - last);
    last = now;
  }
};
Sweep sweep;

template <class Visit>
void ForEachFiber(const FiberQueue& queue, const Visit& visit) {
  for (Fiber* fiber = queue.front(); fiber != nullptr; fiber = fiber->next) visit(*fiber->checked);
}

template <class Visit>
void ForEachLane(const WarpLanes& warp, std::uint32_t mask, const Visit& visit) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    CheckedThread* const thread = warp.thread[static_cast<unsigned>(std::countr_zero(rest))];
    if (thread != nullptr) visit(*thread);
  }
}

}  // namespace

void BeginWorkSpan() {
  launch_work_span = {};
  grid_clock = 0;
  sweep = {};
}

void AddThread(const CheckedThread& thread, CheckedBlock& block) {
  WorkSpan& sum = launch_work_span;
  sum.work += thread.operations;
  sum.span = std::max(sum.span, thread.clock());
  sum.busiest_thread = std::max(sum.busiest_thread, thread.operations);
  block.latest = std::max(block.latest, thread.clock());
}

void SweepTree(SweepEvent event, CheckedThread& thread) {
  const std::uint64_t now = thread.clock();
  if (event == SweepEvent::kBegin && sweep.depth++ == 0) sweep = {1, now, now};
  if (event == SweepEvent::kStep && sweep.depth == 1) {
    sweep.EndStep(now);
    ++sweep.steps;
  }
  if (event == SweepEvent::kEnd && --sweep.depth == 0) {
    sweep.EndStep(now);
    const auto height = static_cast<std::uint64_t>(std::bit_width(sweep.steps));
    thread.AdvanceTo(std::min(now, sweep.begin + sweep.longest * (height + 1)));
  }
}

// The clock of a waiting thread is not read.  From the barrier on, the thread's clock counts from
// the block's floor, so that the barrier need not visit its threads.
void ArriveAtBarrier(CheckedThread& thread, CheckedBlock& block) {
  block.latest = std::max(block.latest, thread.clock());
  thread.waited = -thread.operations;
  thread.operations_met = thread.operations;
  thread.floor = &block.floor;
}

void LeaveBarrier(CheckedBlock& block) { block.floor = block.latest; }

void MeetInWarp(const WarpLanes& warp, std::uint32_t mask) {
  std::uint64_t latest = 0;
  std::uint64_t met = 0;
  bool polls_in_vain = false;
  bool works = false;
  ForEachLane(warp, mask, [&](const CheckedThread& thread) {
    latest = std::max(latest, thread.clock());
    met = std::max(met, thread.met());
    polls_in_vain |= thread.round == Round::kPollsInVain;
    works |= thread.round == Round::kWorks;
  });
  const bool waits = polls_in_vain && !works;
  ForEachLane(warp, mask, [&](CheckedThread& thread) {
    if (waits) thread.operations = thread.operations_met;
    thread.AdvanceTo(waits ? met : latest);
    thread.has_seen_old = false;
    thread.round = Round::kWorks;
  });
}

void ArriveAtClusterBarrier(const CheckedThread& thread, const Cluster& cluster) {
  CheckedBlock& first = *cluster.blocks.front()->checked;
  first.cluster_latest = std::max(first.cluster_latest, thread.clock());
}

void LeaveClusterBarrier(const Cluster& cluster) {
  CheckedBlock& first = *cluster.blocks.front()->checked;
  first.cluster_floor = first.cluster_latest;
}

void AdvanceToClusterBarrier(CheckedThread& thread, const Cluster& cluster) {
  const std::uint64_t floor = cluster.blocks.front()->checked->cluster_floor;
  if (thread.clock() < floor) thread.AdvanceTo(floor);
}

void ArriveAtGridBarrier(const CheckedThread& thread) {
  grid_clock = std::max(grid_clock, thread.clock());
}

void LeaveGridBarrier(const Block& block) {
  ForEachFiber(block.at_grid_barrier, [](CheckedThread& thread) { thread.AdvanceTo(grid_clock); });
}

}  // namespace cudasim
