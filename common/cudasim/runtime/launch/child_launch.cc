#include "common/cudasim/runtime/launch/child_launch.h"

#include <memory>
#include <string>
#include <utility>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/source_files.h"
#include "common/cudasim/runtime/dynamic/children.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

namespace {

// A child has its own shared and local memory, in which the addresses mean something else.
void RefuseOwnMemory(const KernelSource& child, const Site& site, const NamedPointer& argument) {
  const bool shared = Worker::Current().HasArenaWith(argument.pointer);
  if (!shared && !IsFiberStack(argument.pointer)) return;
  const std::string memory = shared ? "shared" : "local";
  Report({"child_argument",
          "kernel " + std::string(RunningGrid()->source.name) + ", " + ToString(site) +
              ": argument " + argument.name + " of kernel " + child.name + " points to " + memory +
              " memory",
          {DescribeCurrentThread(), "a child grid cannot use its parent's " + memory +
                                        " memory: pass a value, or a pointer to global memory"},
          {},
          argument.name});
  MakeSticky(cudaErrorIllegalAddress);
  Worker::Current().Abandon();
}

std::function<void(Child&)> RunLater(const KernelSource& source,
                                     const LaunchConfiguration& configuration,
                                     std::vector<NamedPointer> arguments, const void* body,
                                     const BodyType& type) {
  const std::shared_ptr<void> copy(type.copy(body), type.destroy);
  return [source, configuration, arguments = std::move(arguments), copy,
          loop = type.loop](Child& child) {
    Grid grid;
    FillGrid(grid, source, configuration, arguments, copy.get(), loop);
    grid.as_child = &child;
    RunWithChildren(grid);
    child.over = grid.over;
    if (grid.aborted) child.parent->aborted = true;
  };
}

}  // namespace

void SetNextChild(const LaunchConfiguration& configuration) {
  const LeaveKernel left;
  NoteSourceFile(configuration.site.file);
  delete std::exchange(current_fiber->next_child, new LaunchConfiguration(configuration));
}

void LaunchChild(const KernelSource& source, const void* body, const BodyType& type) {
  const LeaveKernel left;
  const std::unique_ptr<const LaunchConfiguration> next(
      std::exchange(current_fiber->next_child, nullptr));
  if (next == nullptr) DieOfPlainCall(source);
  NoteSourceFile(source.file);
  const LaunchConfiguration& configuration = *next;
  std::vector<NamedPointer> arguments = TakeArguments();
  for (const NamedPointer& argument : arguments) {
    RefuseOwnMemory(source, configuration.site, argument);
  }
  Child child;
  cudaError_t error = cudaSuccess;
  std::string fault = FindLaunchFault(source, configuration, error);
  if (fault.empty()) fault = FindChildFault(configuration.stream, child, error);
  if (!fault.empty()) {
    ReportInvalidLaunch(source, configuration.site, fault);
    KeepDeviceError(error);
    return;
  }
  child.point = OnChildLaunch();
  child.run = RunLater(source, configuration, std::move(arguments), body, type);
  QueueChild(std::move(child));
}

}  // namespace cudasim
