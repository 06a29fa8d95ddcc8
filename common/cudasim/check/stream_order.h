// Missing synchronisation between streams, and between streams and the host: two operations that
// access the same memory, one of them to write, and that no synchronisation orders.
//
// Accesses by kernels are found in the shadows of device memory and variables; copies, fills,
// cudaMallocAsync and cudaFreeAsync have ranges of addresses; host accesses to managed and pinned
// memory are recorded by word.
#pragma once

#include <cstddef>

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/shadow.h"

namespace cudasim {

// True while the running kernel's accesses may conflict with another stream's work.
extern bool watch_streams __attribute__((visibility("hidden")));

// To be called when a launch begins to run, and when it ends.
void BeginStreamWatch();
void EndStreamWatch();

// True if some other stream's work is not ordered with the running launch.
bool HasUnorderedWork();

// To be called when epochs restart: no cell belongs to a past kernel any more.
void ForgetEpochsOfStreams();

// An access of the running kernel to the bytes `mask` of a word of device memory or of a device
// variable; its cell is not in their `shadow` yet.  Reports a conflict.
void CheckStreamOrder(const Access& access, const Shadow& shadow, std::size_t word, unsigned mask);

}  // namespace cudasim
