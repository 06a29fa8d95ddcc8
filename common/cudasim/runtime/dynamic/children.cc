#include "common/cudasim/runtime/dynamic/children.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"

namespace cudasim {
namespace {

std::size_t pending = 0;  // tail launches that have not begun, of all grids

// Never destroyed: the process may exit while a detached worker still uses it.
std::mutex& FamilyMutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

// The mutex must be held.
Children& ChildrenOf(Grid& grid) {
  if (grid.children == nullptr) grid.children = std::make_shared<Children>();
  return *grid.children;
}

// Handles of device streams are odd, so that none is that of a stream of the host.
constexpr std::uint64_t kFirstHandle = 0x101;

cudaStream_t HandleOf(std::uint64_t number) {
  return reinterpret_cast<cudaStream_t>(kFirstHandle + 2 * number);
}

std::uint64_t NumberOf(cudaStream_t handle) {
  return (reinterpret_cast<std::uintptr_t>(handle) - kFirstHandle) / 2;
}

bool IsStreamOfBlock(const Children& children, cudaStream_t handle) {
  const auto made = children.streams.find(NumberOf(handle));
  return made != children.streams.end() && HandleOf(made->first) == handle &&
         made->second == CurrentBlock()->linear;
}

std::pair<unsigned long long, unsigned> ThisThreadKey() {
  return {CurrentBlock()->linear, CurrentThread()};
}

// cudaGetLastError() and cudaPeekAtLastError() of a kernel's thread.
cudaError_t TakeDeviceError(bool clear) {
  const LeaveKernel left;
  const std::lock_guard lock(FamilyMutex());
  const Grid& grid = *CurrentBlock()->grid;
  if (grid.children == nullptr) return cudaSuccess;
  auto& errors = grid.children->errors;
  const auto kept = errors.find(ThisThreadKey());
  if (kept == errors.end()) return cudaSuccess;
  const cudaError_t error = kept->second;
  if (clear) errors.erase(kept);
  return error;
}

// False if the block has no such stream.
bool OrderChild(const Children& children, cudaStream_t stream, Child& child) {
  if (stream == nullptr) {
    child.kind = ChildStream::kNull;
    child.stream = CurrentBlock()->linear;
  } else if (stream == cudaStreamFireAndForget) {
    child.kind = ChildStream::kFireAndForget;
  } else if (stream == cudaStreamTailLaunch) {
    child.kind = ChildStream::kTail;
  } else {
    child.kind = ChildStream::kNamed;
    child.stream = NumberOf(stream);
    return IsStreamOfBlock(children, stream);
  }
  return true;
}

void ReportBlockingStream(const void* caller) {
  Report({"invalid_argument",
          "kernel " + std::string(CurrentBlock()->grid->source.name) + ", " +
              Locate(caller).ToString() +
              ": cudaStreamCreateWithFlags() makes a blocking stream, which device code has not",
          {DescribeCurrentThread(), "next: pass cudaStreamNonBlocking"}});
}

// Each level takes stack of the host.
[[noreturn]] void DieOfLevels() {
  std::fprintf(stderr,
               "error: a chain of more than %u launches by kernels is not simulated\n"
               "  next: let the host launch some of them\n",
               kMaxLevel);
  std::exit(1);
}

}  // namespace

Children::~Children() {
  const std::lock_guard lock(FamilyMutex());
  pending -= tails_to_begin;
}

bool Precedes(const Child& a, const Child& b) {
  if (b.kind == ChildStream::kTail) return a.kind != ChildStream::kTail || a.number < b.number;
  if (a.kind != b.kind || a.kind == ChildStream::kFireAndForget) return false;
  return a.stream == b.stream && a.number < b.number;
}

std::string FindChildFault(cudaStream_t stream, Child& child, cudaError_t& error) {
  const std::lock_guard lock(FamilyMutex());
  Grid& parent = *CurrentBlock()->grid;
  child.parent = &parent;
  const Child* const above = parent.as_child;
  error = cudaErrorInvalidValue;
  if (!OrderChild(ChildrenOf(parent), stream, child)) return "the block has no such stream";
  const bool is_tail = child.kind == ChildStream::kTail;
  child.depth = (above == nullptr ? 0 : above->depth) + (is_tail ? 0 : 1);
  child.level = (above == nullptr ? 0 : above->level) + 1;
  if (child.level > kMaxLevel) DieOfLevels();
  error = cudaErrorLaunchMaxDepthExceeded;
  if (child.depth > kMaxDepth) {
    return "its depth is " + std::to_string(child.depth) + ", limit " + std::to_string(kMaxDepth);
  }
  error = cudaErrorLaunchPendingCountExceeded;
  if (is_tail && pending >= PendingLaunchLimit()) {
    return std::to_string(pending) +
           " tail launches have not begun, limit of cudaLimitDevRuntimePendingLaunchCount";
  }
  return "";
}

void QueueChild(Child child) {
  const std::lock_guard lock(FamilyMutex());
  Children& children = ChildrenOf(*child.parent);
  const bool is_tail = child.kind == ChildStream::kTail;
  child.number = children.launched.size();
  children.launched.push_back(std::move(child));
  if (!is_tail) return;
  ++children.tails_to_begin;
  ++pending;
}

void BeginChild(Children& children, const Child& child) {
  if (child.kind != ChildStream::kTail) return;
  const std::lock_guard lock(FamilyMutex());
  --children.tails_to_begin;
  --pending;
}

cudaError_t KeepDeviceError(cudaError_t error) {
  if (error == cudaSuccess) return error;
  const std::lock_guard lock(FamilyMutex());
  SetDeviceErrors(TakeDeviceError);
  ChildrenOf(*CurrentBlock()->grid).errors[ThisThreadKey()] = error;
  return error;
}

cudaError_t CreateDeviceStream(cudaStream_t* stream, unsigned flags, const void* caller) {
  const LeaveKernel left;
  if (stream == nullptr || flags != cudaStreamNonBlocking) {
    if (kCheckMode && stream != nullptr) ReportBlockingStream(caller);
    return KeepDeviceError(cudaErrorInvalidValue);
  }
  const std::lock_guard lock(FamilyMutex());
  Children& children = ChildrenOf(*CurrentBlock()->grid);
  children.streams[++children.last_stream] = CurrentBlock()->linear;
  *stream = HandleOf(children.last_stream);
  return cudaSuccess;
}

// Launches that are in the stream still run.
cudaError_t DestroyDeviceStream(cudaStream_t stream) {
  const LeaveKernel left;
  {
    const std::lock_guard lock(FamilyMutex());
    Children& children = ChildrenOf(*CurrentBlock()->grid);
    if (IsStreamOfBlock(children, stream)) {
      children.streams.erase(NumberOf(stream));
      return cudaSuccess;
    }
  }
  return KeepDeviceError(cudaErrorInvalidResourceHandle);
}

std::atomic<std::size_t>& PendingLaunchLimit() {
  static std::atomic<std::size_t> limit{2048};
  return limit;
}

}  // namespace cudasim
