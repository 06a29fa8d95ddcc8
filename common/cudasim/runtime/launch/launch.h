// Kernel launches: their configuration, and the limits of each kernel.
#pragma once

#include <cstddef>
#include <string>

#include "common/cudasim/runtime/graphs/graph.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

struct LaunchConfiguration {
  Site site;
  dim3 grid;
  dim3 block;
  std::size_t bytes = 0;  // of dynamic shared memory
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  bool has_cluster = false;  // by an attribute of the launch
  dim3 cluster{};            // its blocks, if it does
};

// The launch's cluster: that of its attributes, else the kernel's own, else one block.
dim3 ClusterOf(const KernelSource& source, const LaunchConfiguration& configuration);

// The launch that the same host thread makes next.
void SetNextLaunch(const LaunchConfiguration& configuration);

void FillGrid(Grid& grid, const KernelSource& source, const LaunchConfiguration& configuration,
              std::vector<NamedPointer> arguments, const void* body, ThreadLoop loop);

// Runs the grid, then the grids that it has launched.
void RunWithChildren(Grid& grid);

// Ends the program: the kernel was called without a configuration.
[[noreturn]] void DieOfPlainCall(const KernelSource& source);

// Returns the error of this host thread's last launch and clears it.
cudaError_t TakeLaunchError();

// What is wrong with the configuration, in words, with CUDA's error code; empty if nothing is.
std::string FindLaunchFault(const KernelSource& source, const LaunchConfiguration& configuration,
                            cudaError_t& error);

// The source of the kernel at this address; null if it is not a kernel's.
const KernelSource* FindKernel(const void* function);

// Calls the kernel at this address with the arguments at `arguments`.
void CallKernel(const void* function, void** arguments);

// The work of a graph's node that launches the kernel at this address, with copies of the
// arguments. The configuration's stream does not matter.  Returns what a launch would.
cudaError_t PrepareKernel(const void* function, const LaunchConfiguration& configuration,
                          void** arguments, NodeWork* work);

// Bytes of __shared__ variables in the kernel's own text; those in functions that it calls are not
// known.
std::size_t StaticSharedBytes(const KernelSource& source);

// What cudaFuncSetAttribute may change.  Thread-safe.
struct KernelLimits {
  std::size_t dynamic_bytes;
  int carveout = -1;
  bool large_clusters = false;  // of more than kMaxPortableCluster blocks
};
KernelLimits GetKernelLimits(const KernelSource& source);
void SetKernelLimits(const KernelSource& source, const KernelLimits& limits);

// Blocks that a multiprocessor of the modelled GPU can hold at a time: by threads, shared memory
// and the number of blocks; registers are not known.  0 if a block never fits.
int ResidentBlocks(unsigned threads, std::size_t shared_bytes);

}  // namespace cudasim
