// Order between streams, and between streams and the host: two operations that touch the same
// memory, one of them to write, and that no synchronisation orders.
//
// Known: kernels of different streams, and host code in managed and pinned memory against kernels,
// by the shadows of device memory and variables; copies, fills, cudaMallocAsync and cudaFreeAsync,
// by their ranges.
#pragma once

#include <cstddef>

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/shadow.h"

namespace cudasim {

// The launch that runs begins, or is over.
void BeginStreamWatch();
void EndStreamWatch();

// True if nothing orders the running launch and some other stream's work.
bool HasUnorderedWork();

// The kernels' cells are gone.
void ForgetEpochsOfStreams();

// An access of the running kernel to the bytes `mask` of a word of device memory or of a device
// variable; its cell is not in their `shadow` yet.  Reports a conflict.
void CheckStreamOrder(const Access& access, const Shadow& shadow, std::size_t word, unsigned mask);

// Host code touches managed or pinned memory.  Reports a conflict with work that it has not waited
// for, and remembers the access for work that has not run.
void CheckHostOrder(const Access& access, bool pinned);

}  // namespace cudasim
