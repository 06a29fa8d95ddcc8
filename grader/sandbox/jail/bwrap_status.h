#pragma once

#include <sys/types.h>

#include <string>

#include "grader/sandbox/jail/descriptor.h"

namespace grader {

// Reads what bubblewrap writes to --json-status-fd: first {"child-pid": N, ...}; at the end
// {"exit-code": N}, but only if the program was executed.
class BwrapStatus {
 public:
  BwrapStatus() = default;
  explicit BwrapStatus(Descriptor reader) : reader_(std::move(reader)) {}

  // The first process of the jail; waits for it. -1 when bubblewrap failed before it made one.
  pid_t FirstProcess();
  // Reads to the end: call it when bubblewrap has ended.
  bool ProgramWasExecuted();

 private:
  bool ReadMore();
  Descriptor reader_;
  std::string text_;
};

// What bubblewrap's complaint means for the person who runs the grader: "what\n  next: ...".
std::string ExplainBwrapFailure(const std::string& complaint, const std::string& program);

}  // namespace grader
