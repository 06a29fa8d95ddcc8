// <<<grid, block, bytes, stream>>>: checks the configuration and runs the grid.
#include "common/cudasim/runtime/launch/launch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/include/cudasim/sweep.h"
#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/source_files.h"
#include "common/cudasim/runtime/dynamic/children.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/launch/child_launch.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/fault.h"
#include "common/cudasim/runtime/scheduler/team.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {
namespace {

thread_local LaunchConfiguration pending_launch;
thread_local bool is_launch_pending = false;
thread_local cudaError_t launch_error = cudaSuccess;
thread_local NodeWork* prepared_work = nullptr;  // where PrepareKernel() wants the launch

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

void SetConfiguration(Grid& grid, const LaunchConfiguration& c) {
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
  FillGrid(grid, source, configuration, std::move(arguments), body, loop);
  const std::lock_guard lock(LaunchMutex());
  WatchForFaults();
  RunWithChildren(grid);
  if (grid.aborted) Return(StickyError());
}

// Copies the arguments, which must outlive the call.
NodeWork LaterLaunch(const KernelSource& source, const LaunchConfiguration& configuration,
                     std::vector<NamedPointer> arguments, const void* body, const BodyType& type) {
  const std::shared_ptr<void> copy(type.copy(body), type.destroy);
  return {{source.name, configuration.site},
          {},
          [source, configuration, arguments = std::move(arguments), copy, loop = type.loop] {
            RunGrid(source, configuration, arguments, copy.get(), loop);
          },
          configuration.cooperative};
}

// The place, with a name that lives as long as the program.
Site Found(const Place& place) {
  static auto* const names = new std::set<std::string>;
  static auto* const mutex = new std::mutex;
  const std::lock_guard lock(*mutex);
  return {names->insert(place.file).first->c_str(), place.line};
}

// The error with which the launch fails before its configuration matters.
cudaError_t FindEarlyError() {
  if (kCheckMode) RefuseInHostFunction(ToString(pending_launch.site));
  if (const cudaError_t error = Return(cudaSuccess)) return error;
  if (prepared_work != nullptr) return cudaSuccess;
  return InjectedError("a kernel launch", cudaErrorLaunchOutOfResources);
}

// Launches into the stream, or into a node.
void Dispatch(CUstream_st* stream, const KernelSource& source, std::vector<NamedPointer> arguments,
              const void* body, const BodyType& type) {
  const bool captures = prepared_work == nullptr && IsCapturing(stream);
  if (prepared_work == nullptr && !captures && !StreamsAreTracked()) {
    return RunGrid(source, pending_launch, std::move(arguments), body, type.loop);
  }
  NodeWork work = LaterLaunch(source, pending_launch, std::move(arguments), body, type);
  if (prepared_work != nullptr) {
    *prepared_work = std::move(work);
  } else if (captures) {
    CaptureNode(stream, cudaGraphNodeTypeKernel, std::move(work));
  } else {
    Submit(stream, work.origin, {}, std::move(work.run));
  }
}

// "argument weights" or "an argument".
std::string DescribeArgument(const std::vector<NamedPointer>& arguments, const void* pointer) {
  for (const NamedPointer& argument : arguments) {
    if (argument.pointer == pointer) return "argument " + argument.name;
  }
  return "an argument";
}

// True, with a finding and the error of an illegal access, if an argument is the address that the
// name of a __device__ or __constant__ variable has on the host.
bool RefuseNamesOfSymbols(const KernelSource& source, const std::vector<NamedPointer>& arguments,
                          const void* body, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, static_cast<const char*>(body) + at, sizeof(pointer));
    if (!IsHostsNameOfSymbol(pointer)) continue;
    const std::string name = FindVariable(pointer).name;
    Report(
        {"host_pointer",
         "kernel " + std::string(source.name) + " launched at " + ToString(pending_launch.site) +
             ": " + DescribeArgument(arguments, pointer) + " is the name of " + name +
             ", which on the host is not the address of the variable on the device",
         {"use " + name + " in the kernel itself, or ask cudaGetSymbolAddress() for its address"},
         {},
         name});
    MakeSticky(cudaErrorIllegalAddress);
    return true;
  }
  return false;
}

}  // namespace

void FillGrid(Grid& grid, const KernelSource& source, const LaunchConfiguration& configuration,
              std::vector<NamedPointer> arguments, const void* body, ThreadLoop loop) {
  grid.source = source;
  grid.arguments = std::move(arguments);
  grid.body = body;
  grid.loop = loop;
  SetConfiguration(grid, configuration);
}

void RunWithChildren(Grid& grid) {
  {
    const GridRuns runs(grid);
    OnGridBegin(grid);
    Team::Get().Run(grid);
    OnGridEnd(grid);
  }
  if (grid.children != nullptr) RunChildren(grid);
}

void SetNextLaunch(const LaunchConfiguration& configuration) {
  pending_launch = configuration;
  is_launch_pending = true;
}

cudaError_t TakeLaunchError() { return std::exchange(launch_error, cudaSuccess); }

void Configure(const char* file, int line, dim3 grid, dim3 block, std::size_t shared_bytes,
               cudaStream_t stream) {
  const LaunchConfiguration configuration{{file, line}, grid, block, shared_bytes, stream};
  if (current_fiber != nullptr) return SetNextChild(configuration);
  NoteSourceFile(file);
  SetNextLaunch(configuration);
}

KernelSource ConfigureAlgorithm(const char* name, bool sequential, unsigned blocks,
                                unsigned threads, cudaStream_t stream) {
  const void* const caller = __builtin_return_address(0);
  // Only reports of faults need the place in plain mode.
  const Site site = kInstrumented ? Found(Locate(caller)) : SiteOfCall(caller);
  SetNextLaunch({site, blocks, threads, 0, stream});
  return {name, site.file, site.line, site.line, {}, sequential};
}

extern "C" void cudasim_sweep(SweepEvent event) {
  if (current_fiber != nullptr && CurrentBlock()->grid->source.is_library) OnSweep(event);
}

void DieOfPlainCall(const KernelSource& source) {
  Die("kernel " + std::string(source.name) + " is called like a function",
      {source.file, source.line});
}

void Launch(const KernelSource& source, const void* body, const BodyType& type) {
  if (current_fiber != nullptr) return LaunchChild(source, body, type);
  if (!is_launch_pending) DieOfPlainCall(source);
  is_launch_pending = false;
  launch_error = cudaSuccess;
  std::vector<NamedPointer> arguments = TakeArguments();
  NoteSourceFile(source.file);
  launch_error = FindEarlyError();
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
  if (prepared_work == nullptr) launch_error = Return(RefuseWork(stream));
  if (launch_error != cudaSuccess) return;
  OnParameters(type.bytes);
  if (RefuseNamesOfSymbols(source, arguments, body, type.bytes)) return;
  Dispatch(stream, source, std::move(arguments), body, type);
}

cudaError_t PrepareKernel(const void* function, const LaunchConfiguration& configuration,
                          void** arguments, NodeWork* work) {
  const KernelSource* const source = FindKernel(function);
  if (source == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  SetNextLaunch(configuration);
  prepared_work = work;
  CallKernel(function, arguments);
  prepared_work = nullptr;
  return Return(TakeLaunchError());
}

}  // namespace cudasim
