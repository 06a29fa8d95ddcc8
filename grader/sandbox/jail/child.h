#pragma once

#include <sys/types.h>

#include <vector>

#include "grader/sandbox/jail/launch.h"

namespace grader {

// What the new process tells its parent before it executes the program. No report means success.
struct ChildReport {
  enum class What : int { kUidKept, kSource, kDescriptors, kLimits, kFilter, kFork, kExec };
  What what;
  int index;  // of the source
  int error;  // errno
};

// A LaunchPlan in the form that system calls take. Points into the plan.
struct ChildPlan {
  explicit ChildPlan(const LaunchPlan& plan);

  const LaunchPlan* plan;
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<const char*> sources;
  std::vector<int> moved;  // room for one number for each of plan->fds
  int report = -1;
  int go = -1;
  pid_t parent = -1;
};

// Runs in the new process. Async-signal-safe: allocates nothing, takes no lock.
[[noreturn]] void RunChild(ChildPlan& child);

}  // namespace grader
