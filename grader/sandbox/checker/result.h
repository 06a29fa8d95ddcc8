// The result of one run of the checker, a JSON document. grader/sandbox/run_checker.py reads it
// into types with the same members.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/sandbox/checker/failure.h"

namespace grader::checker {

inline constexpr int kResultSchema = 1;

// The GPU that a call was timed on, and the least work of the call.
struct DeviceResult {
  std::string name;
  double copy_gb_s = 0;     // read and written by a copy on the device
  double fp32_gflop_s = 0;  // peak; 0: unknown
  double bytes = 0;         // of one call; 0: the test does not give it
  double operations = 0;    // the same
};

// The reference in the student's place, in the same rounds. Unless it earns all points there, the
// machine is too busy to take points from anybody.
struct Control {
  double low = 0;
  double high = 0;
  std::string decision;  // lab::Name(lab::Decision)
};

// Paired ratios student time / reference time.
struct TimedResult {
  double ratio = 0;
  double first = 0;  // of the pair before those that count; 0: none that is a number
  double low = 0;
  double high = 0;
  std::size_t pairs = 0;
  std::string decision;  // lab::Name(lab::Decision)
  double student_ms = 0;
  double reference_ms = 0;
  double shortest_ms = 0;  // calls below that are hard to time
  bool short_calls = false;
  std::optional<DeviceResult> device;
  std::optional<Control> control;  // nullopt where the student's code may earn all points
};

// What the threads of a team did: medians over rounds.
struct TeamMeasured {
  double value = 0;  // the expected speedup
  double low = 0;
  double high = 0;
  std::size_t rounds = 0;
  std::string decision;
  double runnable = 0;
  double inflation = 0;
  double copies = 0;  // of the job that the team does, judged by teams of other sizes
  double balance = 0;
  double shared_by = 0;  // lab::SharedBy, of the best call; 0: not counted
  double speedup = 0;    // the measured one
  double alone_ms = 0;
  double shortest_ms = 0;
  bool short_calls = false;
  std::optional<Control> control;  // as in TimedResult
};

struct TeamRun {
  int team = 0;
  int cores = 0;
  bool waits_counted = true;
  std::optional<TeamMeasured> measured;  // nullopt where this machine cannot measure it
};

// One test that was chosen.
struct Case {
  std::string suite;
  std::string name;
  std::optional<Verdict> verdict;  // of a call; `failures` has wrong answers
  std::string detail;              // of that verdict, one line
  std::vector<std::string> failures;
  bool skipped = false;
  std::string error_output;  // the student's, where a test failed
  std::string findings;      // the simulator's
  std::string stacks;        // of threads that did not return: see grader/judging/judge/stacks.py
  std::vector<std::string> profiles;  // the simulator's counters, one text per call
  bool profile_cut = false;
  std::optional<TimedResult> timed;
  std::optional<TeamRun> team_run;
};

// Not thread-safe.
class Result {
 public:
  // Begins a case, which is then the running one.
  void Begin(std::string_view suite, std::string_view name);
  // Drops the running case.
  void Forget() { cases_.pop_back(); }
  // The running case; outside of tests an unnamed one, which is not written.
  Case& Running();

  // Writes the document. Throws std::runtime_error, with the next step, if it cannot be whole.
  void Write(const std::string& path, const std::vector<std::string>& protections_lost) const;

 private:
  std::vector<Case> cases_;
  Case none_;
};

// The result of this process, global because GoogleTest creates the tests.
Result& TheResult();

}  // namespace grader::checker
