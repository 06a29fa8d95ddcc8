#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/jail/descriptor.h"
#include "grader/sandbox/jail/limits.h"

namespace grader {

// All that the new process does before it executes a program. Prepared in full beforehand, because
// between fork and exec nothing may allocate.
struct LaunchPlan {
  std::string path;  // program to execute, a path of this machine
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "NAME=value"
  std::vector<std::string> sources;      // paths which the new process must be able to read
  std::vector<std::pair<int, int>> fds;  // {here, there}: the only ones left open; 0-2 included
  std::vector<ResourceLimit> limits;
  int uid = -1;     // user and group id to take; -1: keep ours
  int cgroup = -1;  // version 2 cgroup folder to start in, or -1
  bool disable_aslr = false;
  std::string filter;  // system call filter of the program that is executed; empty: none
  // Without bubblewrap: wait for a byte on `go`, then run the program below a supervisor which
  // adopts orphans and passes on the exit code as bubblewrap does (128 + signal).
  bool supervised = false;
  int go = -1;
};

struct Launched {
  pid_t pid = -1;
  Descriptor pidfd;
  Descriptor report;       // for FinishLaunch
  bool in_cgroup = false;  // started in plan.cgroup
};

// Starts the process; returns at once. Throws JailError.
Launched StartLaunch(const LaunchPlan& plan);

struct LaunchResult {
  bool uid_kept = false;  // ours, as this container maps no other
};

// Waits until the process has executed its program. If it could not, reaps it and throws JailError,
// which names a source that cannot be read.
LaunchResult FinishLaunch(const LaunchPlan& plan, const Launched& launched);

}  // namespace grader
