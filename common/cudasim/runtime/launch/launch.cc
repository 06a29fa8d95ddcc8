// <<<grid, block, bytes, stream>>>: checks the configuration and runs the grid.
#include "common/cudasim/runtime/launch/launch.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/source_files.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/scheduler/fault.h"
#include "common/cudasim/runtime/scheduler/team.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {
namespace {

thread_local LaunchConfiguration pending_launch;
thread_local bool is_launch_pending = false;
thread_local cudaError_t launch_error = cudaSuccess;

// Never destroyed: the process may exit while a detached worker still uses it.
std::mutex& LaunchMutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

[[noreturn]] void Die(const std::string& message, const Site& at) {
  std::fprintf(stderr, "error: %s: %s:%d\n  next: launch it as kernel<<<grid, block>>>(...)\n",
               message.c_str(), at.file, at.line);
  std::exit(1);
}

void Fill(Grid& grid, const LaunchConfiguration& c) {
  grid.launched_at = c.site;
  grid.extent = c.grid;
  grid.block_extent = c.block;
  grid.dynamic_bytes = c.bytes;
  grid.cooperative = c.cooperative;
  grid.has_cluster = c.has_cluster || grid.source.cluster.x > 0;
  grid.cluster_extent = ClusterOf(grid.source, c);
  grid.cluster_blocks = grid.cluster_extent.x * grid.cluster_extent.y * grid.cluster_extent.z;
  grid.blocks = 1ull * c.grid.x * c.grid.y * c.grid.z;
  grid.threads = c.block.x * c.block.y * c.block.z;
}

void RunGrid(const KernelSource& source, const LaunchConfiguration& configuration,
             std::vector<NamedPointer> arguments, const void* body, ThreadLoop loop) {
  Grid grid;
  grid.source = source;
  grid.arguments = std::move(arguments);
  grid.body = body;
  grid.loop = loop;
  Fill(grid, configuration);
  const std::lock_guard lock(LaunchMutex());
  WatchForFaults();
  {
    const GridRuns runs(grid);
    OnGridBegin(grid);
    Team::Get().Run(grid);
    OnGridEnd(grid);
  }
  if (grid.aborted) Return(StickyError());
}

// Copies the arguments, which must outlive the call.
void Queue(CUstream_st* stream, const KernelSource& source,
           const LaunchConfiguration& configuration, std::vector<NamedPointer> arguments,
           const void* body, const BodyType& type) {
  const std::shared_ptr<void> copy(type.copy(body), type.destroy);
  Submit(stream, {source.name, configuration.site}, {},
         [source, configuration, arguments = std::move(arguments), copy, loop = type.loop] {
           RunGrid(source, configuration, arguments, copy.get(), loop);
         });
}

}  // namespace

void SetNextLaunch(const LaunchConfiguration& configuration) {
  pending_launch = configuration;
  is_launch_pending = true;
}

cudaError_t TakeLaunchError() { return std::exchange(launch_error, cudaSuccess); }

void Configure(const char* file, int line, dim3 grid, dim3 block, std::size_t shared_bytes,
               cudaStream_t stream) {
  if (current_fiber != nullptr) {
    Die("a kernel launch inside a kernel (dynamic parallelism) is not simulated", {file, line});
  }
  NoteSourceFile(file);
  SetNextLaunch({{file, line}, grid, block, shared_bytes, stream});
}

void Launch(const KernelSource& source, const void* body, const BodyType& type) {
  if (!is_launch_pending) {
    Die("kernel " + std::string(source.name) + " is called like a function",
        {source.file, source.line});
  }
  is_launch_pending = false;
  launch_error = cudaSuccess;
  std::vector<NamedPointer> arguments = TakeArguments();
  NoteSourceFile(source.file);
  RefuseInHostFunction(ToString(pending_launch.site));
  if (Return(cudaSuccess) != cudaSuccess) return;
  launch_error = InjectedError("a kernel launch", cudaErrorLaunchOutOfResources);
  if (launch_error != cudaSuccess) return;
  cudaError_t error = cudaErrorInvalidResourceHandle;
  CUstream_st* const stream = FindStream(pending_launch.stream);
  const std::string fault = stream == nullptr ? "there is no such stream"
                                              : FindLaunchFault(source, pending_launch, error);
  if (!fault.empty()) {
    ReportInvalidLaunch(source, pending_launch.site, fault);
    launch_error = Return(error);
    return;
  }
  OnParameters(type.bytes);
  if (StreamsAreTracked()) {
    Queue(stream, source, pending_launch, std::move(arguments), body, type);
  } else {
    RunGrid(source, pending_launch, std::move(arguments), body, type.loop);
  }
}

}  // namespace cudasim
