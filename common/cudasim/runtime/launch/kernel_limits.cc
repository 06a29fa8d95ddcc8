// Limits of kernels and of a multiprocessor, and those that cudaFuncSetAttribute changes.
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/launch/launch.h"
#include "common/cudasim/runtime/memory/page.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {
namespace {

// What a thread of a cooperative grid may take of the machine's memory: the touched part of its
// stack, and its records in check and profile mode.
constexpr std::size_t kBytesPerThread = std::size_t{16} << 10;

std::size_t MaxCooperativeThreads() {
  if (const std::optional<std::size_t> wanted = CooperativeThreadsSetting()) return *wanted;
  return PhysicalMemoryBytes() / kBytesPerThread;
}

// Never destroyed: work may run at exit.
struct Limits {
  std::mutex mutex;
  std::map<const KernelSource*, KernelLimits> changed;
};

Limits& AllLimits() {
  static auto* const limits = new Limits;
  return *limits;
}

std::string FindExtentFault(const LaunchConfiguration& c) {
  const unsigned long long threads = 1ull * c.block.x * c.block.y * c.block.z;
  if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0) {
    return "the grid " + ToString(c.grid) + " has no blocks";
  }
  if (threads == 0) return "the block " + ToString(c.block) + " has no threads";
  if (c.block.x > kMaxThreads || c.block.y > kMaxThreads || c.block.z > kMaxBlockZ ||
      threads > kMaxThreads) {
    return "the block " + ToString(c.block) + " has " + std::to_string(threads) +
           " threads, limit " + std::to_string(kMaxThreads) + " and (1024, 1024, 64)";
  }
  if (c.grid.x > kMaxGridX || c.grid.y > kMaxGridYz || c.grid.z > kMaxGridYz) {
    return "the grid is " + ToString(c.grid) + ", limit (2147483647, 65535, 65535)";
  }
  return "";
}

std::string FindSharedFault(const KernelSource& source, const LaunchConfiguration& c) {
  const std::size_t limit = GetKernelLimits(source).dynamic_bytes;
  if (c.bytes <= limit) return "";
  return std::to_string(c.bytes) + " bytes of dynamic shared memory, limit " +
         std::to_string(limit) +
         (c.bytes <= kMaxSharedBytesOptin - StaticSharedBytes(source)
              ? " without cudaFuncAttributeMaxDynamicSharedMemorySize"
              : "");
}

// The sections "Thread Block Clusters" and "cudaLaunchAttributeClusterDimension" of the CUDA C++
// Programming Guide and of the runtime API's manual.
std::string FindClusterFault(const KernelSource& source, const LaunchConfiguration& c) {
  const dim3 cluster = ClusterOf(source, c);
  const ClusterExtent& own = source.cluster;
  const std::string name = "the cluster " + ToString(cluster);
  if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return name + " has no blocks";
  if (own.x > 0 && (cluster.x != own.x || cluster.y != own.y || cluster.z != own.z)) {
    return name + " differs from the kernel's __cluster_dims__" +
           ToString(dim3{own.x, own.y, own.z});
  }
  const unsigned long long blocks = 1ull * cluster.x * cluster.y * cluster.z;
  const bool large = GetKernelLimits(source).large_clusters;
  const unsigned limit = large ? kMaxCluster : kMaxPortableCluster;
  if (blocks > limit) {
    return name + " has " + std::to_string(blocks) + " blocks, limit " + std::to_string(limit) +
           (large ? "" : " without cudaFuncAttributeNonPortableClusterSizeAllowed");
  }
  if (c.grid.x % cluster.x != 0 || c.grid.y % cluster.y != 0 || c.grid.z % cluster.z != 0) {
    return "the grid " + ToString(c.grid) + " is not a multiple of " + name;
  }
  return "";
}

std::string FindCooperativeFault(const KernelSource& source, const LaunchConfiguration& c) {
  if (!c.cooperative) return "";
  const std::size_t bytes = c.bytes + StaticSharedBytes(source);
  const unsigned long long limit =
      1ull * ResidentBlocks(c.block.x * c.block.y * c.block.z, bytes) * kMultiprocessors;
  const unsigned long long blocks = 1ull * c.grid.x * c.grid.y * c.grid.z;
  const unsigned long long threads = blocks * c.block.x * c.block.y * c.block.z;
  const std::string grid = "a cooperative grid of " + std::to_string(blocks) + " blocks";
  if (blocks > limit) {
    return grid + " does not fit on the device at once, limit " + std::to_string(limit);
  }
  if (threads > MaxCooperativeThreads()) {
    return grid + " has " + std::to_string(threads) + " threads, limit of the simulator " +
           std::to_string(MaxCooperativeThreads()) + ": see CUDASIM_COOPERATIVE_THREADS";
  }
  return "";
}

}  // namespace

dim3 ClusterOf(const KernelSource& source, const LaunchConfiguration& c) {
  if (c.has_cluster) return c.cluster;
  if (source.cluster.x == 0) return {1, 1, 1};
  return {source.cluster.x, source.cluster.y, source.cluster.z};
}

std::string FindLaunchFault(const KernelSource& source, const LaunchConfiguration& c,
                            cudaError_t& error) {
  error = cudaErrorInvalidConfiguration;
  std::string fault = FindExtentFault(c);
  if (!fault.empty()) return fault;
  error = cudaErrorInvalidClusterSize;
  fault = FindClusterFault(source, c);
  if (!fault.empty()) return fault;
  error = cudaErrorInvalidValue;
  fault = FindSharedFault(source, c);
  if (!fault.empty()) return fault;
  error = cudaErrorCooperativeLaunchTooLarge;
  return FindCooperativeFault(source, c);
}

// Instances of a template with variables of different sizes: the largest counts for all.
std::size_t StaticSharedBytes(const KernelSource& source) {
  std::map<int, std::size_t> by_line;
  for (const PlacedVariable& placed : SharedVariables()) {
    const SharedVariable& v = placed.variable;
    if (v.line < source.line || v.line > source.last_line) continue;
    if (std::string_view(v.file) != source.file) continue;
    by_line[v.line] = std::max(by_line[v.line], v.bytes);
  }
  std::size_t bytes = 0;
  for (const auto& [line, count] : by_line) bytes += count;
  return bytes;
}

KernelLimits GetKernelLimits(const KernelSource& source) {
  Limits& limits = AllLimits();
  const std::lock_guard lock(limits.mutex);
  const auto changed = limits.changed.find(&source);
  if (changed != limits.changed.end()) return changed->second;
  return {kMaxSharedBytes - std::min(kMaxSharedBytes, StaticSharedBytes(source))};
}

void SetKernelLimits(const KernelSource& source, const KernelLimits& changed) {
  Limits& limits = AllLimits();
  const std::lock_guard lock(limits.mutex);
  limits.changed[&source] = changed;
}

int ResidentBlocks(unsigned threads, std::size_t shared_bytes) {
  if (threads == 0 || threads > kMaxThreads || shared_bytes > kMaxSharedBytesOptin) return 0;
  const unsigned warps = (threads + 31) / 32;
  const std::size_t granted = (shared_bytes + 127) / 128 * 128 + kReservedSharedBytes;
  return static_cast<int>(
      std::min<std::size_t>({kMaxResidentThreads / 32 / warps, kMaxResidentBlocks,
                             kMultiprocessorSharedBytes / granted}));
}

}  // namespace cudasim
