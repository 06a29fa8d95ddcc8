#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <vector>

#include "grader/run/jail/jail.h"

namespace grader {

struct ResourceLimit {
  int resource;  // RLIMIT_...
  rlim_t soft;
  rlim_t hard;
};

// The specification. Throws JailError when it asks for what cannot be: no program, a relative path,
// no limit where there must be one, a descriptor number out of range.
const JailSpec& Checked(const JailSpec& spec);

// Per-process limits to set before the jail's program starts, none above this process's own.
// Memory is limited here only without a memory cgroup and where that cannot break the program.
std::vector<ResourceLimit> ResourceLimits(const JailSpec& spec, bool memory_cgroup);

// Sets the limits of this process. Async-signal-safe. Returns 0 or errno.
int ApplyLimits(const ResourceLimit* limits, std::size_t count);

// A limit for all of a user's processes and threads: the jail's, if the user id is its own.
ResourceLimit ProcessLimit(long pids);

// Limits the number of processes and threads in the jail's user namespace, whatever else the user
// runs. To be called on its first process, before it forks. False where that cannot be done: a
// kernel that counts all of a user's processes together, or one that does not let us.
bool LimitProcesses(pid_t first, long pids);

// Processes and threads of the jail itself: bubblewrap outside and inside.
inline constexpr long kOwnProcesses = 2;

}  // namespace grader
