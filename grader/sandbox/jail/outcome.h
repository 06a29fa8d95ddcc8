#pragma once

#include <string>
#include <vector>

#include "grader/sandbox/jail/jail.h"

namespace grader {

// The outcome of one run of a program in a jail.
struct Outcome {
  std::string kind;  // exited|signaled|time_limit|memory_limit|output_limit|pids_limit
  ExitStatus status;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::string output;  // standard output and error, as they came
  bool output_truncated = false;
  std::vector<std::string> protections_lost;
};

// Runs the program until it ends or exceeds a limit; none of its processes is left on return.
// Limits exclude run-queue wait: the caller must bound the total time on a busy machine.
// Standard output and error are kept up to output_bytes. Stops early with JailError when stop_fd
// (-1: none) becomes readable. Throws JailError.
Outcome RunToEnd(const JailSpec& spec, std::size_t output_bytes, int stop_fd);

// Each as one JSON object on one line; grader/sandbox/run_in_jail.py reads them.
std::string ToJson(const Outcome& outcome);
std::string ProbeToJson(const std::vector<std::string>& protections_lost);

}  // namespace grader
