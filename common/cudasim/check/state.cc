#include "common/cudasim/check/state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/cudasim/check/now.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

CheckedGrid checked_grid;
Serial serial_limit = kSerialLimit;
Now now;

namespace {

Serial last_serial = 0;

// Serials from `first` on belong to `block`, up to the next entry.
struct Run {
  Serial first;
  unsigned block;
};
std::vector<Run> runs;  // of this launch

uint3 Unflatten(unsigned linear, const dim3& extent) {
  return {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
}

}  // namespace

Serial NextSerial(const Block& block) {
  if (last_serial + 1 >= serial_limit) {
    std::fprintf(stderr,
                 "error: too many barriers and blocks for check mode: %s, limit %u\n"
                 "  next: check it with a smaller grid\n",
                 DescribeLaunch().c_str(), serial_limit);
    std::exit(1);
  }
  const auto linear = static_cast<unsigned>(block.linear);
  ++last_serial;
  if (runs.empty() || runs.back().block != linear) runs.push_back({last_serial, linear});
  return last_serial;
}

Serial LastSerial() { return last_serial; }

void RestartSerials() {
  last_serial = 0;
  runs.clear();
}

void BeginGrid(Grid& grid) {
  ++last_serial;
  checked_grid = {&grid, last_serial, last_serial};
  runs.clear();
  now.launch = Stamp(checked_grid.begin, 0);
}

void RefreshNow() {
  CheckedBlock& block = ThisBlock();
  now.block = &block;
  now.launch = Stamp(checked_grid.begin, 0);
  now.stamp = Stamp(block.current, ThisThread().in_block);
  now.arena_begin = now.watch_reads ? kNowhere : reinterpret_cast<std::uintptr_t>(shared_arena);
  now.arena = block.shadow.latest;
  now.arena_shadow = &block.shadow;
  now.polls = &ThisThread().polls;
  now.block_begin = Stamp(block.begin, 0);
  now.before_barrier = Stamp(block.epoch - block.begin, 0);
}

unsigned BlockAt(Serial serial) {
  if (serial >= runs.back().first) return runs.back().block;
  const auto after = std::upper_bound(runs.begin(), runs.end(), serial,
                                      [](Serial s, const Run& run) { return s < run.first; });
  return std::prev(after)->block;
}

ThreadId ThreadIdOf(Record record) {
  return BlockAt(SerialOf(record)) * checked_grid.grid->threads + ThreadOf(record);
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
