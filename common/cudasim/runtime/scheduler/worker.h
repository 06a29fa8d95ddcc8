// One OS thread's share of a grid: it starts blocks in ascending order and runs each to its end.
#pragma once

#include <memory>
#include <vector>

#include "common/cudasim/runtime/scheduler/block.h"

namespace cudasim {

class Worker {
 public:
  // The worker of the calling OS thread, which must be inside Work().
  static Worker& Current();

  // Runs blocks of `grid` until none is left to start or the grid is aborted.
  void Work(Grid& grid);

  // From a fiber: suspends the current thread, which is queued already, and runs another one.
  void Switch();

  // The same, but begins with the block's next thread, of which there must be one.
  void SwitchToNewThread();

  // From a fiber: suspends the current thread, which is queued already, and lets the worker turn to
  // other blocks.
  void SwitchToWorker();

  // The running block goes on as soon as another one has had a turn.
  void HoldBlock();
  bool holds_block() const { return held_ != nullptr; }

  // From a fiber, or on the worker's own stack while its fibers are suspended: gives up the grid.
  [[noreturn]] void Abandon();

  // The barrier of a cluster has let threads go on that had waited.
  void NoteClusterRelease() { cluster_released_ = true; }

  // True if the address is in shared memory of a block, resident or not, of this worker.
  bool HasArenaWith(const void* address) const;

  // The suspended context of the worker's own stack.
  void* stack_pointer() const { return context_.stack_pointer; }

 private:
  static void FiberMain();

  Fiber* TakeFiber();
  void SwitchTo(Fiber* next);
  Block* Start(Grid& grid);
  bool StartCluster(Grid& grid);
  void RunUntilIdle(Block& block);
  void Retire(std::size_t position);
  bool MayStillRun(Grid& grid, Block& block);
  bool NoteArrivalAtGridBarrier(Grid& grid, Block& block);
  bool WaitForGrid(Grid& grid);
  void DropEverything();
  void ShareFibers();

  Context context_;  // of the worker's own stack
  std::vector<Fiber*> fibers_;
  std::size_t used_ = 0;  // of fibers_, by the running grid
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Block*> free_;
  std::vector<Block*> resident_;
  Block* held_ = nullptr;
  std::size_t at_grid_barrier_ = 0;  // of the resident blocks
  unsigned long long round_ = 0;     // of the grid's barrier in which they wait
  bool cluster_released_ = false;    // since all resident blocks had a turn
  unsigned long long chunk_next_ = 0;
  unsigned long long chunk_end_ = 0;
};

// The running thread lets others run: those of its block, or first those of other blocks.
void YieldThread(bool to_other_blocks);

}  // namespace cudasim
