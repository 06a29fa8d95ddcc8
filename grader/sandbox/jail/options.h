#pragma once

#include <string>
#include <vector>

#include "grader/sandbox/jail/spec.h"

namespace grader {

// The command line of the `jail` program.
struct Options {
  JailSpec spec;
  long output_kb = 0;
  std::string result;  // file to write; empty: standard output
  bool probe = false;
  bool help = false;
  std::string usage;  // where `help`
};

// Throws UsageError (//grader/sandbox/command_line) naming the bad option and its value.
Options ParseOptions(const std::vector<std::string>& words);

}  // namespace grader
