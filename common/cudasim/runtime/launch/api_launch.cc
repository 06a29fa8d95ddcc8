// cudaLaunchKernel and its relatives, and queries about kernels.
#include <algorithm>

#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/source_files.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/launch/launch.h"

namespace cudasim {
namespace {

bool IsCooperative(const cudaLaunchConfig_t& config) {
  return std::any_of(
      config.attrs, config.attrs + config.numAttrs, [](const cudaLaunchAttribute& attribute) {
        return attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0;
      });
}

}  // namespace

// The call returns the launch's own error, which is the last error too.
cudaError_t LaunchKernel(const void* kernel, const cudaLaunchConfig_t& config, void** arguments,
                         bool cooperative, const CallSite& site) {
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  const KernelSource* const source = FindKernel(kernel);
  if (source == nullptr) return Return(cudaErrorInvalidDeviceFunction);
  const Site place = site.line > 0 ? Site{site.file, site.line} : Site{source->file, source->line};
  NoteSourceFile(place.file);
  SetNextLaunch({place, config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream,
                 cooperative || IsCooperative(config)});
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
  } else {
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

}  // namespace cudasim
