// One launch.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/scheduler/fiber.h"
#include "common/cudasim/runtime/scheduler/grid_barrier.h"
#include "common/cudasim/runtime/scheduler/kernel_arguments.h"

namespace cudasim {

struct Child;  // common/cudasim/runtime/dynamic/children.h
struct Children;

struct Grid {
  KernelSource source{};
  Site launched_at;
  dim3 extent;        // in blocks
  dim3 block_extent;  // in threads
  std::size_t dynamic_bytes = 0;
  std::vector<NamedPointer> arguments;
  const void* body = nullptr;
  ThreadLoop loop = nullptr;
  unsigned long long blocks = 0;
  unsigned threads = 0;  // per block
  // All blocks are resident together, each with its own shared memory, and may meet in grid.sync().
  bool cooperative = false;
  dim3 cluster_extent;  // in blocks
  unsigned cluster_blocks = 1;
  bool has_cluster = false;  // the launch or the kernel gives the extent
  unsigned chunk = 1;        // blocks that a worker takes at a time
  std::atomic<unsigned long long> next_block{0};
  std::atomic<bool> aborted{false};
  GridBarrier barrier;  // of a cooperative grid
  // Dynamic parallelism.
  const Child* as_child = nullptr;     // null: the host has launched it
  std::shared_ptr<Children> children;  // null: it has launched none
  std::uint64_t over = 0;              // profile mode: when it ends, since the host's launch began
};

// "launched at lab.cu:40 with grid (4, 1, 1) and block (256, 1, 1)".
std::string DescribeLaunch(const Grid& grid);

// While one lives, RunningGrid() returns its grid.
class GridRuns {
 public:
  explicit GridRuns(Grid& grid);
  ~GridRuns();
  GridRuns(const GridRuns&) = delete;
  GridRuns& operator=(const GridRuns&) = delete;

 private:
  RunningKernel kernel_;
};

// The grid that runs, for reports; null between launches.  Launches run one at a time.
Grid* RunningGrid();

}  // namespace cudasim
