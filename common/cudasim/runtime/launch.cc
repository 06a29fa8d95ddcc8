// <<<grid, block, bytes, stream>>>: checks the configuration and runs the grid.
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/device.h"
#include "common/cudasim/runtime/errors.h"
#include "common/cudasim/runtime/fault.h"
#include "common/cudasim/runtime/grid.h"
#include "common/cudasim/runtime/report.h"
#include "common/cudasim/runtime/team.h"

namespace cudasim {
namespace {

struct Configuration {
  Site site;
  dim3 grid;
  dim3 block;
  std::size_t bytes = 0;
};

thread_local Configuration pending;
thread_local bool is_pending = false;
Grid* running = nullptr;

// Never destroyed: the process may exit while a detached worker still looks at it.
std::mutex& LaunchMutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

std::string Describe(const dim3& extent) {
  return "(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " +
         std::to_string(extent.z) + ")";
}

// What is wrong with the configuration, in words; empty if nothing.
std::string FindFault(const Configuration& c, cudaError_t& error) {
  error = cudaErrorInvalidConfiguration;
  const unsigned long long threads = 1ull * c.block.x * c.block.y * c.block.z;
  if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0) {
    return "the grid " + Describe(c.grid) + " has no blocks";
  }
  if (threads == 0) return "the block " + Describe(c.block) + " has no threads";
  if (c.block.x > kMaxThreads || c.block.y > kMaxThreads || c.block.z > kMaxBlockZ ||
      threads > kMaxThreads) {
    return "the block " + Describe(c.block) + " has " + std::to_string(threads) +
           " threads, limit " + std::to_string(kMaxThreads) + " and (1024, 1024, 64)";
  }
  if (c.grid.x > kMaxGridX || c.grid.y > kMaxGridYz || c.grid.z > kMaxGridYz) {
    return "the grid is " + Describe(c.grid) + ", limit (2147483647, 65535, 65535)";
  }
  error = cudaErrorInvalidValue;
  if (c.bytes > kMaxSharedBytes) {
    return std::to_string(c.bytes) + " bytes of dynamic shared memory, limit " +
           std::to_string(kMaxSharedBytes);
  }
  return "";
}

[[noreturn]] void Die(const std::string& message, const Site& at) {
  std::fprintf(stderr, "error: %s: %s:%d\n  next: launch it as kernel<<<grid, block>>>(...)\n",
               message.c_str(), at.file, at.line);
  std::exit(1);
}

void Fill(Grid& grid, const Configuration& c) {
  grid.launched_at = c.site;
  grid.extent = c.grid;
  grid.block_extent = c.block;
  grid.dynamic_bytes = c.bytes;
  grid.blocks = 1ull * c.grid.x * c.grid.y * c.grid.z;
  grid.threads = c.block.x * c.block.y * c.block.z;
}

}  // namespace

Grid* RunningGrid() { return running; }

void Configure(const char* file, int line, dim3 grid, dim3 block, std::size_t shared_bytes,
               cudaStream_t) {
  if (current_fiber != nullptr) {
    Die("a kernel launch inside a kernel (dynamic parallelism) is not simulated", {file, line});
  }
  NoteSourceFile(file);
  pending = {{file, line}, grid, block, shared_bytes};
  is_pending = true;
}

void Launch(const KernelSource& source, const void* body, ThreadLoop loop) {
  if (!is_pending) {
    Die("kernel " + std::string(source.name) + " is called like a function",
        {source.file, source.line});
  }
  is_pending = false;
  std::vector<NamedPointer> arguments = TakeArguments();
  NoteSourceFile(source.file);
  if (Return(cudaSuccess) != cudaSuccess) return;
  cudaError_t error;
  const std::string fault = FindFault(pending, error);
  if (!fault.empty()) {
    ReportInvalidLaunch(source, pending.site, fault);
    Return(error);
    return;
  }
  Grid grid;
  grid.source = source;
  grid.arguments = std::move(arguments);
  grid.body = body;
  grid.loop = loop;
  Fill(grid, pending);
  const std::lock_guard lock(LaunchMutex());
  WatchForFaults();
  running = &grid;
  OnGridBegin(grid);
  Team::Get().Run(grid);
  OnGridEnd(grid);
  running = nullptr;
  if (grid.aborted) Return(StickyError());
}

}  // namespace cudasim
