#include "common/cudasim/runtime/scheduler/worker.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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
constexpr int kPoison = 0xA5;  // what fresh shared memory holds

__thread Worker* current_worker __attribute__((tls_model("initial-exec")));

char* NewArena() {
  void* const memory = mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs("error: out of memory for shared memory\n  next: raise the memory limit\n", stderr);
    std::abort();
  }
  std::memset(memory, kPoison, std::min<std::size_t>(shared_static_end, kArenaBytes));
  return static_cast<char*>(memory);
}

uint3 BlockIndex(unsigned long long linear, const dim3& extent) {
  return {static_cast<unsigned>(linear % extent.x),
          static_cast<unsigned>(linear / extent.x % extent.y),
          static_cast<unsigned>(linear / extent.x / extent.y)};
}

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

void Worker::Abandon() {
  RunningGrid()->aborted = true;
  in_kernel = false;
  Context nobody;
  cudasim_switch(&nobody, &context_);
  std::abort();  // an abandoned context is never resumed
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
    blocks_.push_back(std::make_unique<Block>());
    blocks_.back()->arena = NewArena();
    free_.push_back(blocks_.back().get());
  }
  Block* const block = free_.back();
  free_.pop_back();
  block->grid = &grid;
  block->threads = block->live = grid.threads;
  block->next = block->blocked = 0;
  block->linear = chunk_next_++;
  block->index = BlockIndex(block->linear, grid.extent);
  block->arrived = block->arrived_at_grid = 0;
  block->waits_for_grid = false;
  block->ready.Clear();
  block->at_barrier.Clear();
  block->at_grid_barrier.Clear();
  OnBlockBegin(*block);
  return block;
}

void Worker::Retire(std::size_t position) {
  CountProgress();
  Block& block = *resident_[position];
  OnBlockEnd(block);
  if (block.grid->cooperative) block.grid->barrier.Leave(*block.grid);
  free_.push_back(resident_[position]);
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(position));
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
  free_.insert(free_.end(), resident_.begin(), resident_.end());
  resident_.clear();
}

// A cooperative grid keeps a fiber for each of its threads.  The next one may have more of its
// blocks with another worker.
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
  chunk_next_ = chunk_end_ = 0;
  at_grid_barrier_ = 0;
  idle_fibers = nullptr;
  used_ = 0;
  scheduler_context = &context_;
  std::size_t turn = 0;
  bool want_another = true;  // the resident blocks only spin
  while (!grid.aborted.load(std::memory_order_relaxed)) {
    if (want_another && (grid.cooperative || resident_.size() < MaxResident(grid))) {
      if (Block* const block = Start(grid)) {
        turn = resident_.size();
        resident_.push_back(block);
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
      if (block.Stuck() && !NoteArrivalAtGridBarrier(grid, block)) EndDeadlock(grid, block);
      ++turn;
      want_another = turn == resident_.size();
    }
  }
  if (grid.aborted.load(std::memory_order_relaxed)) DropEverything();
  if (grid.cooperative) ShareFibers();
}

}  // namespace cudasim
