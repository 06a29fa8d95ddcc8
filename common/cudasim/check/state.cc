#include "common/cudasim/check/state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/cudasim/check/detector.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

namespace {

uint3 Unflatten(unsigned linear, const dim3& extent) {
  return {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
}

}  // namespace

Epoch NextEpoch(const Block& block) {
  if (detector.last_epoch + 1 >= detector.epoch_limit) {
    std::fprintf(stderr,
                 "error: too many barriers and blocks for check mode: %s, limit %u\n"
                 "  next: check it with a smaller grid\n",
                 DescribeLaunch().c_str(), detector.epoch_limit);
    std::exit(1);
  }
  const auto linear = static_cast<unsigned>(block.linear);
  std::vector<EpochRun>& runs = *detector.epochs;
  ++detector.last_epoch;
  if (runs.empty() || runs.back().block != linear) runs.push_back({detector.last_epoch, linear});
  return detector.last_epoch;
}

void RestartEpochs() {
  detector.last_epoch = 0;
  detector.epochs->clear();
}

void BeginGrid(Grid& grid) {
  ++detector.last_epoch;
  detector.grid = {&grid, detector.last_epoch, detector.last_epoch};
  detector.epochs->clear();
  detector.reported->clear();
  detector.bad_accesses->clear();
  detector.warned->clear();
  detector.now.launch = Stamp(detector.grid.begin, 0);
}

void RefreshNow() {
  CheckedBlock& block = ThisBlock();
  detector.now.block = &block;
  detector.now.launch = Stamp(detector.grid.begin, 0);
  detector.now.stamp = Stamp(block.current, ThisThread().in_block);
  const bool slow = detector.now.watch_reads || !block.copies.empty();
  detector.now.arena_begin =
      slow || block.is_shared_outside ? kNowhere : reinterpret_cast<std::uintptr_t>(shared_arena);
  detector.now.heap_begin = slow || detector.watch_streams ? kNowhere : detector.now.device_memory;
  detector.now.watched_heap_begin =
      !slow && detector.watch_streams ? detector.now.device_memory : kNowhere;
  detector.now.arena = block.shadow.latest;
  detector.now.arena_shadow = &block.shadow;
  detector.now.polls = &ThisThread().polls;
  detector.now.block_begin = Stamp(block.begin, 0);
  detector.now.before_barrier = Stamp(block.last_barrier - block.begin, 0);
}

unsigned BlockAt(Epoch epoch) {
  const std::vector<EpochRun>& runs = *detector.epochs;
  if (epoch >= runs.back().first) return runs.back().block;
  const auto after = std::upper_bound(runs.begin(), runs.end(), epoch,
                                      [](Epoch s, const EpochRun& run) { return s < run.first; });
  return std::prev(after)->block;
}

ThreadId ThreadIdOf(ShadowCell cell) {
  return BlockAt(EpochOf(cell)) * detector.grid.grid->threads + ThreadOf(cell);
}

unsigned BlockOf(ThreadId thread) { return thread / detector.grid.grid->threads; }

std::string DescribeIndexOf(ThreadId thread) {
  const Grid& grid = *detector.grid.grid;
  return ToString(Unflatten(thread % grid.threads, grid.block_extent));
}

std::string DescribeBlockOf(ThreadId thread) {
  return ToString(Unflatten(BlockOf(thread), detector.grid.grid->extent));
}

std::string DescribeThread(ThreadId thread) {
  return "thread " + DescribeIndexOf(thread) + " of block " + DescribeBlockOf(thread);
}

std::string DescribeKernel() { return "kernel " + std::string(detector.grid.grid->source.name); }

std::string DescribeLaunch() { return DescribeLaunch(*detector.grid.grid); }

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
