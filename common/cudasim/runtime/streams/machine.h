// The machine on which profile mode lays out a call's operations, and what each costs there.
//
// It has two copy engines, one for each direction, an engine that runs kernels one after another,
// and a thread that runs host functions.  It is a model: it says which operations overlap, and not
// how fast a GPU is.  Latencies are those of a current GPU.  Throughputs are scaled to the sizes of
// programs that a simulator can run: an H100 executes about a thousand operations in the time in
// which the bus moves a byte, so that kernels which take as long as their copies would keep the
// simulator busy for minutes.  Here a kernel with a few operations for each byte does.
//
// Times are whole nanoseconds, rounded up, so that every machine counts the same.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cudasim {

using Nanoseconds = std::uint64_t;

namespace machine {

// A copy between pinned memory and the device: 25 GB/s, what PCIe 4.0 with 16 lanes gives.
constexpr std::uint64_t kBusPicoseconds = 40;  // a byte

// The host reads or writes memory, or the driver copies from or to pageable memory: 10 GB/s, about
// what one core copies.
constexpr std::uint64_t kHostPicoseconds = 100;  // a byte

// A kernel: two operations in the time of a byte on the bus.
constexpr std::uint64_t kOperationPicoseconds = 20;

// An operation that waits for the one before, the least time for each on the critical path: seven
// cycles of 1.75 GHz.
constexpr Nanoseconds kDependentOperation = 4;

// Copies and fills within the device: an operation for each 4 bytes.
constexpr std::uint64_t kDevicePicoseconds = kOperationPicoseconds / 4;  // a byte

constexpr Nanoseconds kCall = 1000;          // the host submits an operation
constexpr Nanoseconds kWakeUp = 2000;        // from the end of what the host waits for
constexpr Nanoseconds kStart = 1000;         // an engine starts a copy or a kernel
constexpr Nanoseconds kHostFunction = 5000;  // a thread of the driver starts a host function

// An access to managed memory that is on the other side: the page is moved on demand.
constexpr Nanoseconds kPageFault = 20000;
constexpr std::uint64_t kPageBytes = 65536;

constexpr Nanoseconds Times(std::uint64_t count, std::uint64_t picoseconds) {
  return (count * picoseconds + 999) / 1000;
}

// A kernel that also moves `bus_bytes` to or from pinned memory while it runs.
constexpr Nanoseconds Kernel(std::uint64_t work, std::uint64_t span, std::uint64_t bus_bytes) {
  return kStart + std::max({Times(work, kOperationPicoseconds), span * kDependentOperation,
                            Times(bus_bytes, kBusPicoseconds)});
}

constexpr Nanoseconds PageFaults(std::uint64_t count) {
  return count * (kPageFault + Times(kPageBytes, kBusPicoseconds));
}

}  // namespace machine
}  // namespace cudasim
