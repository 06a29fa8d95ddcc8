#include "common/cudasim/check/state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/cudasim/check/epochs.h"
#include "common/cudasim/check/launch_findings.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/stream_order.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

constinit Now running;
constinit CheckedGrid checked_grid;
EndedLaunch latest_launch;
constinit Epochs epochs;
constinit LaunchFindings launch_findings;

uint3 Unflatten(unsigned linear, const dim3& extent) {
  return {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
}

Epoch NextEpoch(const Block& block) {
  if (epochs.last + 1 >= epochs.limit) {
    std::fprintf(stderr,
                 "error: too many barriers and blocks for check mode: %s, limit %u\n"
                 "  next: check it with a smaller grid\n",
                 DescribeLaunch().c_str(), epochs.limit);
    std::exit(1);
  }
  const auto linear = static_cast<unsigned>(block.linear);
  std::vector<EpochRun>& runs = *epochs.runs;
  ++epochs.last;
  if (runs.empty() || runs.back().block != linear) runs.push_back({epochs.last, linear});
  return epochs.last;
}

void RestartEpochs() {
  epochs.last = 0;
  epochs.runs->clear();
}

void BeginGrid(Grid& grid) {
  ++epochs.last;
  checked_grid = {&grid, epochs.last, epochs.last};
  epochs.runs->clear();
  launch_findings.races->clear();
  launch_findings.bad_accesses->clear();
  launch_findings.warned->clear();
  running.launch = Stamp(checked_grid.begin, 0);
}

void RefreshNow() {
  CheckedBlock& block = ThisBlock();
  running.block = &block;
  running.launch = Stamp(checked_grid.begin, 0);
  running.stamp = Stamp(block.current, ThisThread().in_block);
  const bool slow = running.watch_reads || !block.copies.empty();
  running.arena_begin =
      slow || block.is_shared_outside ? kNowhere : reinterpret_cast<std::uintptr_t>(shared_arena);
  running.heap_begin = slow || watch_streams ? kNowhere : running.device_memory;
  running.watched_heap_begin = !slow && watch_streams ? running.device_memory : kNowhere;
  running.arena = block.shadow.latest;
  running.arena_shadow = &block.shadow;
  running.polls = &ThisThread().polls;
  running.block_begin = Stamp(block.begin, 0);
  running.before_barrier = Stamp(block.last_barrier - block.begin, 0);
}

unsigned BlockAt(Epoch epoch) {
  const std::vector<EpochRun>& runs = *epochs.runs;
  if (epoch >= runs.back().first) return runs.back().block;
  const auto after = std::upper_bound(runs.begin(), runs.end(), epoch,
                                      [](Epoch s, const EpochRun& run) { return s < run.first; });
  return std::prev(after)->block;
}

ThreadId ThreadIdOf(ShadowCell cell) {
  return BlockAt(EpochOf(cell)) * checked_grid.grid->threads + ThreadOf(cell);
}

unsigned BlockOf(ThreadId thread) { return thread / checked_grid.grid->threads; }

std::string DescribeIndexOf(ThreadId thread) {
  const Grid& grid = *checked_grid.grid;
  return ToString(Unflatten(thread % grid.threads, grid.block_extent));
}

std::string DescribeBlockOf(ThreadId thread) {
  return ToString(Unflatten(BlockOf(thread), checked_grid.grid->extent));
}

std::string DescribeThread(ThreadId thread) {
  return "thread " + DescribeIndexOf(thread) + " of block " + DescribeBlockOf(thread);
}

std::string DescribeKernel() { return "kernel " + std::string(checked_grid.grid->source.name); }

std::string DescribeLaunch() { return DescribeLaunch(*checked_grid.grid); }

void EndLaunch() {
  MakeSticky(cudaErrorIllegalAddress);
  Worker::Current().Abandon();
}

void SyncClocks::Join(const SyncClocks& other) {
  known.Join(other.known);
  in_block.Join(other.in_block);
  in_device.Join(other.in_device);
  counted.Join(other.counted);
}

bool SyncClocks::empty() const {
  return known.empty() && in_block.empty() && in_device.empty() && counted.empty();
}

void SyncClocks::Clear() {
  for (VectorClock* clock : {&known, &in_block, &in_device, &counted}) clock->Clear();
}

}  // namespace cudasim
