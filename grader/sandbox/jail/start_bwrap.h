#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/jail/bwrap_status.h"
#include "grader/sandbox/jail/error.h"
#include "grader/sandbox/jail/launch.h"
#include "grader/sandbox/jail/spec.h"

namespace grader {

// The specification's descriptors, with `null` for those of 0, 1 and 2 that it does not list.
std::vector<std::pair<int, int>> WithStandardStreams(const JailSpec& spec, int null);

// Bubblewrap running, waiting for one byte before it starts the program.
struct WaitingBwrap {
  Launched launched;
  LaunchPlan plan;
  BwrapStatus status;
  Descriptor go;
  Descriptor go_reader;  // held, so that a write after bubblewrap's death raises no SIGPIPE
};

// Starts bubblewrap with the plan's limits, user id and cgroup. Requires FindBwrap(). Throws
// JailError.
WaitingBwrap StartBwrap(const JailSpec& spec, LaunchPlan plan);

// Starts the same jail again for bubblewrap's message why it failed: "what\n  next: ...".
std::string ExplainFailure(JailSpec spec, LaunchPlan plan);

}  // namespace grader
