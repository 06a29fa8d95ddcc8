#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/call.h"
#include "grader/sandbox/checker/options.h"
#include "grader/sandbox/checker/remote.h"

namespace grader::checker {

enum class Target { kStudent, kReference, kCounted };

// One run of the checker: which worker the calls of the running test go to, and what is recorded of
// them. kCounted is the student's code built so that its accesses are counted. Workers start when
// they are first called and last until EndSuite. Not thread-safe.
class Session {
 public:
  explicit Session(Options options);

  const Options& options() const { return options_; }

  // Makes the call, to the student's worker unless between StartTimed and StopTimed. Records a
  // verdict for the running test and throws lab::CallFailed when it cannot be made.
  void Invoke(const lab::Call& call);

  // Timed calls until the next StartCase belong to one case. In a suite's first case with two
  // calls, the second must begin with the same outputs as the first: else the test is at fault, and
  // a judge error is recorded.
  void StartCase() { case_contents_.reset(); }

  // Until StopTimed calls go to `target`, with the worker frozen before and after each. With
  // `accounted` their times have a load.
  void StartTimed(Target target, bool accounted = false);
  // The times of the calls since then, one per call.
  std::vector<CallTimes> StopTimed();

  // The time of the student's workers so far.
  const UsedTime& student_time() const { return student_time_; }

  // Asks the student's worker to exit. nullopt if it ends well; else records the verdict and
  // returns the detail.
  std::optional<std::string> QuitStudent();

  // What the simulator has said of the student's process so far.
  std::string StudentFindings() const;

  // The end of what the student's process has written to stderr so far.
  std::string StudentErrorOutput() const;

  // Kills the workers: the next suite gets fresh ones.
  void EndSuite();

  // Whether a verdict was recorded since the last call of this function.
  bool TakeRecorded() { return std::exchange(recorded_, false); }

  // What the jails could not protect against.
  const std::vector<std::string>& protections_lost() const { return protections_lost_; }

 private:
  // The worker of a target, and what it is started with.
  struct Place {
    const Options& options;
    const std::string& worker;
    const std::string& library;
    UsedTime& used_time;
    std::unique_ptr<Remote>& remote;
  };
  Place PlaceOf(Target target);
  Remote& Started(Target target);
  // Throws Failure.
  void CheckCase(const lab::Call& call);
  // Records the failure of a call; if the student's process caused a judge error, that cause.
  [[noreturn]] void Fail(Target target, const Failure& failure);
  // A process has no limit of GPU memory. Ends the student's process and returns a failure if it
  // held more than it left free; nullopt otherwise, and without a GPU.
  std::optional<Failure> EndShortage();
  void RecordFailure(Target target, const Failure& failure);

  Options options_;
  Options counted_options_;
  UsedTime student_time_;
  // Of the others: without a limit.
  UsedTime reference_time_{std::numeric_limits<double>::infinity()};
  UsedTime counted_time_{std::numeric_limits<double>::infinity()};
  std::unique_ptr<Remote> student_;
  std::unique_ptr<Remote> reference_;
  std::unique_ptr<Remote> counted_;
  std::optional<Target> timed_;
  std::optional<std::size_t> case_contents_;
  bool cases_are_alike_ = false;
  bool accounted_ = false;
  std::vector<CallTimes> times_;
  std::vector<std::string> protections_lost_;
  bool recorded_ = false;
};

// Records verdict and detail for the running test, and the worker's stderr if there is any.
void RecordVerdict(Verdict verdict, const std::string& detail, const std::string& error_output);

// The session of this process, global because lab::Invoke has no argument for it. Not owned.
void SetSession(Session* session);
Session& TheSession();

}  // namespace grader::checker
