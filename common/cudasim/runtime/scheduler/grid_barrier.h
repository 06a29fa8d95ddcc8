// grid.sync(): the barrier of all blocks of a cooperative launch.
#pragma once

#include <condition_variable>
#include <mutex>

namespace cudasim {

struct Grid;

// Counts whole blocks.  Thread-safe.
class GridBarrier {
 public:
  // All live threads of a block wait.  Returns the round, for Wait().
  unsigned long long Arrive(const Grid& grid);

  // All threads of a block have returned.
  void Leave(const Grid& grid);

  // Waits until all blocks have arrived in the round.  False if they never will, because blocks
  // have returned without it or the grid was aborted.
  bool Wait(const Grid& grid, unsigned long long round);

  // Blocks whose threads have all returned.
  unsigned long long left() const { return left_; }

 private:
  void Settle(const Grid& grid);

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned long long arrived_ = 0;
  unsigned long long left_ = 0;
  unsigned long long round_ = 0;
  bool stuck_ = false;
};

}  // namespace cudasim
