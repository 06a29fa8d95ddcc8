// The GPU that the simulator models, and its limits.
#pragma once

#include <cstddef>

namespace cudasim {

constexpr unsigned kMaxThreads = 1024;  // per block, also its x and y
constexpr unsigned kMaxBlockZ = 64;
constexpr unsigned kMaxGridX = 2147483647;
constexpr unsigned kMaxGridYz = 65535;
constexpr std::size_t kMaxSharedBytes = std::size_t{48} << 10;  // per block without opting in

// A multiprocessor.
constexpr std::size_t kMultiprocessors = 132;
constexpr std::size_t kMaxResidentThreads = 2048;
constexpr std::size_t kMaxResidentBlocks = 32;
constexpr std::size_t kMultiprocessorSharedBytes = std::size_t{228} << 10;
constexpr std::size_t kReservedSharedBytes = 1024;  // of each resident block

// With cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).
constexpr std::size_t kMaxSharedBytesOptin = std::size_t{227} << 10;
constexpr int kClockKhz = 1980000;

// Bytes that malloc() in kernels may hand out; see cudaLimitMallocHeapSize.
std::size_t KernelHeapBytes();

// Bytes of device memory: half of the machine's, or CUDASIM_MEMORY_MB.
std::size_t DeviceMemoryBytes();

}  // namespace cudasim
