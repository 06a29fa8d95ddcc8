// Dynamic parallelism: the grids that the threads of a grid launch.
//
// Children run when all blocks of their parent have ended.  CUDA allows that: device code cannot
// wait for a child, and a child may begin at any time.  A grid is complete when all its children
// are; only then does the next launch of its stream begin.
//
// CUDA Programming Guide, chapter "CUDA Dynamic Parallelism", CDP2.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

struct LaunchPoint;  // check mode's: what the launching thread knew

constexpr unsigned kMaxDepth = 24;    // of nested launches; those of the host have depth 0
constexpr unsigned kMaxLevel = 4096;  // the same, tail launches included: the simulator's limit

enum class ChildStream { kNull, kNamed, kFireAndForget, kTail };

struct Child {
  Grid* parent = nullptr;
  unsigned depth = 0;  // a tail launch has that of its parent, which is complete when it begins
  unsigned level = 0;
  ChildStream kind = ChildStream::kNull;
  std::uint64_t stream = 0;  // of one kind: launches with the same number follow each other
  std::uint64_t number = 0;  // in the order of the parent's launches
  std::shared_ptr<const LaunchPoint> point{};
  std::function<void(Child&)> run{};  // runs it and its own children; may set `over`
  // Profile mode: when it begins, and when all of it is over, since the host's launch began.
  std::uint64_t begins = 0;
  std::uint64_t over = 0;
};

// True if `a` is complete when `b`, of the same parent, begins.
bool Precedes(const Child& a, const Child& b);

// The launches of one grid, and what its threads keep for them.
struct Children {
  ~Children();

  std::deque<Child> launched;
  std::size_t tails_to_begin = 0;
  std::map<std::uint64_t, unsigned long long> streams;  // the block that made it, by its number
  std::uint64_t last_stream = 0;
  // The last error, by block and thread.
  std::map<std::pair<unsigned long long, unsigned>, cudaError_t> errors;
};

// All functions below are called by a kernel's thread outside of the kernel's own code, in any
// block.

// What is wrong with the stream, the depth, or the number of tail launches that have not begun;
// empty if nothing is.  Other launches may begin at once, and an H100 takes any number of them.
// Else fills in how the child is ordered.
std::string FindChildFault(cudaStream_t stream, Child& child, cudaError_t& error);

// Adds the launch to those of the running grid.
void QueueChild(Child child);

// Remembers the running thread's error for its cudaGetLastError(), and returns it.
cudaError_t KeepDeviceError(cudaError_t error);

// Streams of the running block.
cudaError_t CreateDeviceStream(cudaStream_t* stream, unsigned flags, const void* caller);
cudaError_t DestroyDeviceStream(cudaStream_t stream);

// On the host: runs the children of a grid whose blocks have ended.
void RunChildren(Grid& grid);

// One of them begins.
void BeginChild(Children& children, const Child& child);

// cudaLimitDevRuntimePendingLaunchCount.
std::atomic<std::size_t>& PendingLaunchLimit();

}  // namespace cudasim
