// cudaLaunchKernel and its relatives, and queries about kernels.

#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/source_files.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/launch/launch.h"

namespace cudasim {
namespace {

// The attributes that have an effect.
void ApplyAttributes(const cudaLaunchConfig_t& config, LaunchConfiguration& launch) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttributeValue& value = config.attrs[i].val;
    if (config.attrs[i].id == cudaLaunchAttributeCooperative) {
      launch.cooperative |= value.cooperative != 0;
    } else if (config.attrs[i].id == cudaLaunchAttributeClusterDimension) {
      launch.has_cluster = true;
      launch.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    }
  }
}

LaunchConfiguration ConfigurationOf(const cudaLaunchConfig_t& config, bool cooperative,
                                    const Site& place) {
  LaunchConfiguration launch{
      place, config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream, cooperative};
  ApplyAttributes(config, launch);
  return launch;
}

}  // namespace

// The call returns the launch's own error, which is the last error too.
cudaError_t LaunchKernel(const void* kernel, const cudaLaunchConfig_t& config, void** arguments,
                         bool cooperative, const CallSite& site) {
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  const KernelSource* const source = FindKernel(kernel);
  if (source == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  const Site place{site.file, site.line};
  NoteSourceFile(place.file);
  SetNextLaunch(ConfigurationOf(config, cooperative, place));
  CallKernel(kernel, arguments);
  return Return(TakeLaunchError());
}

cudaError_t SetFunctionAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  CUDASIM_MAY_FAIL_AS("cudaFuncSetAttribute");
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  const KernelSource* const kernel = FindKernel(function);
  if (kernel == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  KernelLimits limits = GetKernelLimits(*kernel);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100) return Return(cudaErrorInvalidValue);
    limits.carveout = value;
  } else if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    const std::size_t most = kMaxSharedBytesOptin - StaticSharedBytes(*kernel);
    if (value < 0 || static_cast<std::size_t>(value) > most) return Return(cudaErrorInvalidValue);
    limits.dynamic_bytes = static_cast<std::size_t>(value);
  } else if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    limits.large_clusters = value != 0;
  } else if (attribute != cudaFuncAttributeClusterSchedulingPolicyPreference) {
    return Return(cudaErrorInvalidValue);
  }
  SetKernelLimits(*kernel, limits);
  return Return(cudaSuccess);
}

cudaError_t GetFunctionAttributes(cudaFuncAttributes* attributes, const void* function) {
  CUDASIM_MAY_FAIL_AS("cudaFuncGetAttributes");
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  const KernelSource* const kernel = FindKernel(function);
  if (kernel == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  if (attributes == nullptr) return Return(cudaErrorInvalidValue);
  *attributes = {};
  const KernelLimits limits = GetKernelLimits(*kernel);
  attributes->sharedSizeBytes = StaticSharedBytes(*kernel);
  attributes->maxThreadsPerBlock = static_cast<int>(kMaxThreads);
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(limits.dynamic_bytes);
  attributes->preferredShmemCarveout = limits.carveout;
  if (kernel->cluster.x > 0) {
    attributes->requiredClusterWidth = static_cast<int>(kernel->cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(kernel->cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(kernel->cluster.z);
  }
  attributes->nonPortableClusterSizeAllowed = limits.large_clusters ? 1 : 0;
  return Return(cudaSuccess);
}

cudaError_t GetResidentBlocks(int* blocks, const void* function, int threads,
                              std::size_t dynamic_bytes) {
  CUDASIM_MAY_FAIL_AS("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  if (blocks == nullptr || threads <= 0) return Return(cudaErrorInvalidValue);
  const KernelSource* const kernel = FindKernel(function);
  if (kernel == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  const bool allowed = dynamic_bytes <= GetKernelLimits(*kernel).dynamic_bytes;
  *blocks = allowed ? ResidentBlocks(static_cast<unsigned>(threads),
                                     dynamic_bytes + StaticSharedBytes(*kernel))
                    : 0;
  return Return(cudaSuccess);
}

cudaError_t GetResidentClusters(int* clusters, const void* function,
                                const cudaLaunchConfig_t* config) {
  CUDASIM_MAY_FAIL_AS("cudaOccupancyMaxActiveClusters");
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  if (clusters == nullptr || config == nullptr) return Return(cudaErrorInvalidValue);
  const KernelSource* const kernel = FindKernel(function);
  if (kernel == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  const LaunchConfiguration launch = ConfigurationOf(*config, false, {});
  cudaError_t error = cudaSuccess;
  if (!FindLaunchFault(*kernel, launch, error).empty()) return Return(error);
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  const dim3 extent = ClusterOf(*kernel, launch);
  *clusters = ResidentBlocks(threads, launch.bytes + StaticSharedBytes(*kernel)) *
              static_cast<int>(kMultiprocessors) / static_cast<int>(extent.x * extent.y * extent.z);
  return Return(cudaSuccess);
}

cudaError_t GetLargestCluster(int* blocks, const void* function, const cudaLaunchConfig_t* config) {
  CUDASIM_MAY_FAIL_AS("cudaOccupancyMaxPotentialClusterSize");
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  if (blocks == nullptr || config == nullptr) return Return(cudaErrorInvalidValue);
  const KernelSource* const kernel = FindKernel(function);
  if (kernel == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  const bool large = GetKernelLimits(*kernel).large_clusters;
  *blocks = static_cast<int>(large ? kMaxCluster : kMaxPortableCluster);
  return Return(cudaSuccess);
}

}  // namespace cudasim
