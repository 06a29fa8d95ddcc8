#include "common/cudasim/check/state.h"

#include "common/cudasim/runtime/describe.h"
#include "common/cudasim/runtime/errors.h"
#include "common/cudasim/runtime/report.h"
#include "common/cudasim/runtime/worker.h"

namespace cudasim {

CheckedGrid checked_grid;

namespace {

Serial last_serial = 0;

uint3 Unflatten(unsigned linear, const dim3& extent) {
  return {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
}

}  // namespace

Serial NextSerial(const Block&) { return ++last_serial; }

void BeginGrid(Grid& grid) { checked_grid = {&grid, ++last_serial}; }

unsigned BlockOf(ThreadId thread) { return thread / checked_grid.grid->threads; }

std::string DescribeThread(ThreadId thread) {
  const Grid& grid = *checked_grid.grid;
  return "thread " + ToString(Unflatten(thread % grid.threads, grid.block_extent)) + " of block " +
         ToString(Unflatten(BlockOf(thread), grid.extent));
}

std::string DescribeKernel() { return "kernel " + std::string(checked_grid.grid->source.name); }

std::string DescribeLaunch() { return DescribeLaunch(*checked_grid.grid); }

void EndLaunch() {
  MakeSticky(cudaErrorIllegalAddress);
  Worker::Current().Abandon();
}

void Knowledge::Learn(unsigned block, ThreadId thread, const Entry& entry) {
  Entry& known = entries_[{block, thread}];
  known.block_before = std::max(known.block_before, entry.block_before);
  known.thread_until = std::max(known.thread_until, entry.thread_until);
}

void Knowledge::Learn(const Knowledge& other) {
  for (const auto& [who, entry] : other.entries_) Learn(who.first, who.second, entry);
}

bool Knowledge::Orders(unsigned block, ThreadId thread, Serial serial) const {
  for (auto i = entries_.lower_bound({block, 0}); i != entries_.end() && i->first.first == block;
       ++i) {
    if (serial < i->second.block_before) return true;
    if (i->first.second == thread && serial <= i->second.thread_until) return true;
  }
  return false;
}

}  // namespace cudasim
