#include "common/cudasim/runtime/scheduler/worker.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/scheduler/deadlock.h"
#include "common/cudasim/runtime/scheduler/fault.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/spinning.h"

extern "C" {
__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread cudasim::Extent blockDim;
__thread cudasim::Extent gridDim;
__thread cudasim::Extent cudasim_cluster_dim;
}

namespace cudasim {

__thread BlockCursor* current_block;
__thread char* shared_arena;
__thread Fiber* current_fiber;
__thread bool in_kernel;
__thread Fiber* idle_fibers;
__thread Context* scheduler_context;

namespace {

// Blocks and threads that one worker keeps alive at a time when their threads spin on each other.
// A stack costs the process two of its 65,530 memory mappings.
std::size_t MaxResidentBlocks() { return kInstrumented ? 1024 : 64; }
std::size_t MaxThreadsAlive() { return kInstrumented ? 16384 : 2048; }

__thread Worker* current_worker __attribute__((tls_model("initial-exec")));

std::size_t MaxResident(const Grid& grid) {
  return std::clamp<std::size_t>(MaxThreadsAlive() / grid.threads, 2, MaxResidentBlocks());
}

}  // namespace

Worker& Worker::Current() { return *current_worker; }

// The entry of every fiber.
void Worker::FiberMain() {
  Worker& worker = Current();
  for (;;) {
    Block& block = *CurrentBlock();
    Fiber* const self = current_fiber;
    RunLoopCatchingExceptions(*block.grid);
    // No thread is left to start: this stack is free for another block.
    self->next = idle_fibers;
    idle_fibers = self;
    Fiber* const next = block.ready.Pop();
    current_fiber = next;
    cudasim_switch(&self->context, next ? &next->context : &worker.context_);
  }
}

// A fiber left from an earlier grid is still in that grid's loop, and starts over.
Fiber* Worker::TakeFiber() {
  if (Fiber* const fiber = idle_fibers) {
    idle_fibers = fiber->next;
    return fiber;
  }
  if (used_ == fibers_.size()) {
    fibers_.push_back(NewFiber(&Worker::FiberMain));
  } else {
    ResetFiber(fibers_[used_], &Worker::FiberMain);
  }
  return fibers_[used_++];
}

void Worker::Switch() {
  Block& block = *CurrentBlock();
  Fiber* next = block.ready.Pop();
  if (next == current_fiber) return;
  // The stacks of a block's threads do not fit into the cache: the one after the next is fetched.
  if (const Fiber* const later = block.ready.front()) {
    __builtin_prefetch(later->context.stack_pointer);
  }
  if (next == nullptr && block.next < block.threads) next = TakeFiber();
  if (next == nullptr) {
    SwitchToWorker();
  } else {
    SwitchTo(next);
  }
}

void Worker::SwitchToNewThread() { SwitchTo(TakeFiber()); }

void Worker::SwitchTo(Fiber* next) {
  Fiber* const self = current_fiber;
  self->thread_index = threadIdx;
  current_fiber = next;
  cudasim_switch(&self->context, &next->context);
  threadIdx = self->thread_index;
}

void Worker::SwitchToWorker() {
  Fiber* const self = current_fiber;
  self->thread_index = threadIdx;
  cudasim_switch(&self->context, &context_);
  threadIdx = self->thread_index;
}

void Worker::HoldBlock() {
  if (held_ == nullptr) held_ = CurrentBlock();
}

void Worker::Abandon() {
  RunningGrid()->aborted = true;
  in_kernel = false;
  Context nobody;
  cudasim_switch(&nobody, &context_);
  std::abort();  // an abandoned context is never resumed
}

bool Worker::HasArenaWith(const void* address) const {
  return std::any_of(blocks_.begin(), blocks_.end(), [address](const auto& block) {
    return static_cast<std::size_t>(static_cast<const char*>(address) - block->arena) < kArenaBytes;
  });
}

void Worker::RunUntilIdle(Block& block) {
  current_block = &block;
  shared_arena = block.arena;
  blockIdx = block.index;
  block.pauses = 0;
  for (;;) {
    Fiber* fiber = block.ready.Pop();
    if (fiber == nullptr && block.next < block.threads) fiber = TakeFiber();
    if (fiber == nullptr) {
      if (AnswerActiveMasks(block)) continue;
      break;
    }
    current_fiber = fiber;
    cudasim_switch(&context_, &fiber->context);
    current_fiber = nullptr;
    if (block.grid->aborted.load(std::memory_order_relaxed) || block.Finished()) break;
    if (block.pauses > 0) {  // its threads spin, perhaps on lanes in __activemask()
      AnswerActiveMasks(block);
      break;
    }
  }
  current_block = nullptr;
  in_kernel = false;
}

Block* Worker::Start(Grid& grid) {
  if (chunk_next_ == chunk_end_) {
    chunk_next_ = std::min(grid.next_block.fetch_add(grid.chunk), grid.blocks);
    chunk_end_ = std::min(chunk_next_ + grid.chunk, grid.blocks);
    if (chunk_next_ == chunk_end_) return nullptr;
  }
  if (free_.empty()) {
    blocks_.push_back(NewBlock());
    free_.push_back(blocks_.back().get());
  }
  Block* const block = free_.back();
  free_.pop_back();
  BeginBlock(*block, grid, chunk_next_++);
  return block;
}

// Starts the next block, and with it all of its cluster.  False if none is left.
bool Worker::StartCluster(Grid& grid) {
  Block* const first = Start(grid);
  if (first == nullptr) return false;
  Cluster& cluster = first->as_first;
  cluster.Begin(first);
  while (cluster.blocks.size() < grid.cluster_blocks) cluster.Add(Start(grid));
  for (Block* const block : cluster.blocks) {
    resident_.push_back(block);
    OnBlockBegin(*block);
  }
  return true;
}

void Worker::Retire(std::size_t position) {
  CountProgress();
  Block& block = *resident_[position];
  OnBlockEnd(block);
  if (block.grid->cooperative) block.grid->barrier.Leave(*block.grid);
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(position));
  Cluster& cluster = *block.cluster;
  if (--cluster.running == 0) {
    free_.insert(free_.end(), cluster.blocks.rbegin(), cluster.blocks.rend());
  } else {
    ReleaseClusterIfComplete(cluster);
  }
}

// A block is stuck.  False if nothing that other blocks do lets its threads go on.
bool Worker::MayStillRun(Grid& grid, Block& block) {
  if (!block.Stuck()) return true;
  if (NoteArrivalAtGridBarrier(grid, block)) return true;
  return !block.at_cluster_barrier.empty() && !IsClusterStuck(*block.cluster);
}

// True if all of the stuck block's threads wait in grid.sync().
bool Worker::NoteArrivalAtGridBarrier(Grid& grid, Block& block) {
  if (block.waits_for_grid) return true;
  if (block.arrived_at_grid == 0 || block.arrived_at_grid != block.live) return false;
  block.waits_for_grid = true;
  ++at_grid_barrier_;
  round_ = grid.barrier.Arrive(grid);
  return true;
}

// All resident blocks wait in grid.sync() and no block is left to start.  False if some block of
// the grid will never arrive.
bool Worker::WaitForGrid(Grid& grid) {
  if (!grid.barrier.Wait(grid, round_)) return false;
  for (Block* const block : resident_) {
    CountProgress();
    OnGridSync(*block);
    block->waits_for_grid = false;
    block->arrived_at_grid = 0;
    block->ready.Append(block->at_grid_barrier);
  }
  at_grid_barrier_ = 0;
  return true;
}

// After an abort: suspended threads will never go on.
void Worker::DropEverything() {
  for (Block* const block : resident_) {
    Cluster& cluster = *block->cluster;
    if (--cluster.running > 0) continue;
    free_.insert(free_.end(), cluster.blocks.begin(), cluster.blocks.end());
  }
  resident_.clear();
}

// A cooperative grid or a cluster keeps a fiber for each of its threads.  The next one may have
// more of its blocks with another worker.
void Worker::ShareFibers() {
  idle_fibers = nullptr;
  used_ = 0;
  for (; fibers_.size() > MaxThreadsAlive(); fibers_.pop_back()) FreeFiber(fibers_.back());
}

void Worker::Work(Grid& grid) {
  current_worker = this;
  const WatchForSpinning watch;
  blockDim = {grid.block_extent.x, grid.block_extent.y, grid.block_extent.z};
  gridDim = {grid.extent.x, grid.extent.y, grid.extent.z};
  cudasim_cluster_dim = {grid.cluster_extent.x, grid.cluster_extent.y, grid.cluster_extent.z};
  chunk_next_ = chunk_end_ = 0;
  held_ = nullptr;
  at_grid_barrier_ = 0;
  idle_fibers = nullptr;
  used_ = 0;
  scheduler_context = &context_;
  std::size_t turn = 0;
  bool want_another = true;  // the resident blocks only spin
  while (!grid.aborted.load(std::memory_order_relaxed)) {
    if (want_another && (grid.cooperative || resident_.size() < MaxResident(grid))) {
      const std::size_t had = resident_.size();
      if (StartCluster(grid)) {
        turn = had;
      } else if (at_grid_barrier_ > 0 && at_grid_barrier_ == resident_.size()) {
        if (!WaitForGrid(grid)) EndDeadlock(grid, *resident_.front());
      }
      want_another = false;
    }
    if (resident_.empty()) break;
    turn %= resident_.size();
    Block& block = *resident_[turn];
    RunUntilIdle(block);
    if (grid.aborted.load(std::memory_order_relaxed)) break;
    if (block.Finished()) {
      Retire(turn);
      want_another = resident_.empty();
    } else {
      if (!MayStillRun(grid, block)) EndDeadlock(grid, block);
      // Threads that a cluster's barrier has let go on come before new blocks.
      want_another = ++turn == resident_.size() && !std::exchange(cluster_released_, false);
    }
    if (held_ != nullptr && held_ != &block) {
      turn = static_cast<std::size_t>(std::ranges::find(resident_, held_) - resident_.begin());
      held_ = nullptr;
      want_another = false;
    }
  }
  if (grid.aborted.load(std::memory_order_relaxed)) DropEverything();
  if (grid.cooperative || grid.cluster_blocks > 1) ShareFibers();
}

}  // namespace cudasim
