// Order between streams, and between streams and the host: two operations that touch the same
// memory, one of them to write, and that no synchronisation orders.
//
// Known: kernels of different streams, by the shadow of device memory; copies and fills, by their
// ranges; host code against pending copies and, for managed and pinned memory, against kernels that
// had not run by then.  Not known: host code against kernels that have run (eager mode), and
// copies against kernels of other streams that ran before.
#pragma once

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/shadow.h"

namespace cudasim {

// True while the running kernel's accesses may conflict with another operation's.
extern bool watch_streams;

// The launch that runs begins, or is over.
void BeginStreamWatch();
void EndStreamWatch();

// An access of the running kernel to the bytes `mask` of a word of device memory; its record is not
// in the shadow yet.  Reports a conflict.
void CheckStreamOrder(const Access& access, const Shadow& shadow, std::size_t word, unsigned mask);

// Host code touches managed or pinned memory.  Reports a conflict with work that it has not waited
// for, and remembers the access for work that has not run.
void CheckHostOrder(const Access& access, bool pinned);

}  // namespace cudasim
