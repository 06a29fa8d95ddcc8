#pragma once

#include <optional>
#include <string>

#include "common/lab/call/call.h"
#include "grader/sandbox/checker/failure.h"
#include "grader/sandbox/checker/options.h"
#include "grader/sandbox/jail/jail.h"
#include "grader/sandbox/wire/wire.h"

namespace grader::checker {

// What is known of a worker that died unexpectedly.
struct Death {
  Mode mode = Mode::kTests;
  std::optional<ExitStatus> status;  // nullopt: it had to be killed
  bool out_of_memory = false;
  long memory_mb = 0;
  std::optional<wire::Fault> fault;
  std::string fault_text;
  std::string error_output;
  std::string where;                // e.g. "inside SumPartial"
  const lab::Call* call = nullptr;  // the call it died in, if any; not owned
};

// The verdict on it, from the strongest evidence: memory limit, race report, simulator report,
// access past a span, other signal, exit code.
Failure Explain(const Death& death);

// "SumPartial (spans of 1000, 8 elements)".
std::string Describe(const lab::Call& call);

// "SIGSEGV", or "signal 35".
std::string SignalName(int signal);

}  // namespace grader::checker
