#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <vector>

#include "grader/sandbox/jail/error.h"
#include "grader/sandbox/jail/spec.h"

namespace grader {

struct ResourceLimit {
  int resource;  // RLIMIT_...
  rlim_t soft;
  rlim_t hard;
};

// Returns the specification. Throws JailError when it is invalid: no program, a relative path, a
// missing limit, a descriptor number out of range.
const JailSpec& Checked(const JailSpec& spec);

// Per-process limits to set before the jail's program starts, none above this process's own.
// Limits memory only without a memory cgroup and without spec.huge_address_space. The kernel then
// counts all of a thread's stack, used or not: the limit is memory_mb and the stacks of `pids`
// threads, which have at most 8 MiB each.
std::vector<ResourceLimit> ResourceLimits(const JailSpec& spec, bool memory_cgroup);

// Sets the limits of this process. Async-signal-safe. Returns 0 or errno.
int ApplyLimits(const ResourceLimit* limits, std::size_t count);

// RLIMIT_NPROC, which counts all processes and threads of a user: those of the jail, if no other
// has its user id.
ResourceLimit ProcessLimit(long pids);

// Limits the number of processes and threads in the jail's user namespace. Call it on the jail's
// first process before that forks. False where the kernel refuses, or counts a user's processes
// over all namespaces.
bool LimitProcesses(pid_t first, long pids);

// Processes and threads of the jail itself: bubblewrap outside and inside.
inline constexpr long kOwnProcesses = 2;

}  // namespace grader
