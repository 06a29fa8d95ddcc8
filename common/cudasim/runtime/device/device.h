// The GPU that the simulator models, and its limits: NVIDIA H100 80GB HBM3 (SXM5), compute
// capability 9.0 (CUDA C++ Programming Guide, table "Technical Specifications per Compute
// Capability").
#pragma once

#include <cstddef>

#include "common/cudasim/include/cudasim/hardware.h"

namespace cudasim {

constexpr unsigned kMaxBlockZ = 64;
constexpr unsigned kMaxGridX = 2147483647;
constexpr unsigned kMaxGridYz = 65535;
constexpr std::size_t kMaxSharedBytes = std::size_t{48} << 10;  // per block without opting in

// Blocks of a cluster: on every GPU that has clusters, and on this one with
// cudaFuncAttributeNonPortableClusterSizeAllowed.
constexpr unsigned kMaxPortableCluster = 8;
constexpr unsigned kMaxCluster = 16;

// A multiprocessor.
constexpr std::size_t kMaxResidentThreads = 2048;
constexpr std::size_t kMaxResidentBlocks = 32;
constexpr std::size_t kMultiprocessorSharedBytes = std::size_t{228} << 10;
constexpr std::size_t kReservedSharedBytes = 1024;  // of each resident block

// With cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).
constexpr std::size_t kMaxSharedBytesOptin = std::size_t{227} << 10;
constexpr int kClockKhz = 1980000;

// Addresses that are reserved for device memory.
constexpr std::size_t kAddressRangeBytes = std::size_t{64} << 30;

}  // namespace cudasim
