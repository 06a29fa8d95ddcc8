#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/timing/stopping_rule.h"

namespace grader::checker {

enum class Mode {
  kTests,
  kRaces,     // the worker and the library are built to find races, and slow
  kTiming,    // the student's code against the reference's
  kCounters,  // the worker and the library are built to count what kernels do, and slow
  kShares,    // who uses the inputs and outputs, from the accesses of the `counted` library
};

struct TimingSuite {
  std::string suite;
  lab::StoppingRule rule;
};

struct ParallelismSuite {
  std::string suite;
  lab::StoppingRule rule;  // of expected speedups: zero < full
};

// The checker's command line.
struct Options {
  Mode mode = Mode::kTests;
  std::string worker;
  std::string student;
  std::string reference;         // needed for timing only
  std::string reference_worker;  // default: `worker`
  std::string counted;           // the student's library whose accesses are counted; may be empty
  std::string counted_worker;    // which counts them
  // Limits: all of them must be given.
  double call_seconds = 0;  // wall time minus run-queue wait
  double run_seconds = 0;   // the same, over one run
  long memory_mb = 0;
  long pids = 0;
  long file_mb = 0;
  long tmp_mb = 0;
  long stack_mb = 0;
  long output_kb = 0;
  long reserved_mb = 0;  // not a limit: writable memory that is mostly never touched
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<TimingSuite> timing;
  std::vector<ParallelismSuite> parallelism;  // may name suites of `timing`, too
  int team = 0;                               // threads whose parallelism is measured
  std::vector<std::string> suites;            // empty: all of them
  // By function: bytes of an output that a call may copy from the host, or fill.
  std::map<std::string, double> host_bytes;
  std::string output;
  bool ranks = false;  // the worker starts processes: the ranks of a message-passing program
  bool gpu = false;  // with --mode=timing: the library is built for a GPU, which is used and timed
  bool allow_unjailed = false;
};

// Parses the words after the program's name. Throws UsageError (//grader/sandbox/command_line).
Options ParseOptions(const std::vector<std::string>& words);

// The suites that this run executes: those of --suites, or with --mode=timing those of --timing
// and --parallelism.
std::vector<std::string> SelectedSuites(const Options& options);

// GoogleTest's filter for these suites, plain, typed and value-parameterized; "*" for an empty
// list.
std::string FilterFor(const std::vector<std::string>& suites);

}  // namespace grader::checker
