#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/access_shares.h"
#include "common/lab/call/call.h"
#include "common/timing/load.h"
#include "grader/sandbox/checker/arenas.h"
#include "grader/sandbox/checker/failure.h"
#include "grader/sandbox/checker/options.h"
#include "grader/sandbox/checker/process.h"
#include "grader/sandbox/checker/shared_file.h"
#include "grader/sandbox/checker/used_time.h"
#include "grader/sandbox/wire/wire.h"

namespace grader::checker {

// The times of a timed call, by the checker's clock.
struct CallTimes {
  double total_seconds = 0;  // from showing the inputs until the worker was frozen with the outputs
  // Of it, what is not the function's work: copying to the simulator's device, as the worker
  // reports it; on a GPU also an empty request (wire::Op::kTouch) and the copy of the outputs.
  double overhead_seconds = 0;
  std::optional<lab::Load> load;  // of an accounted call
  LabShares shares{};             // of a call whose accesses are counted
};

// A library in a jailed worker, called through lab::Call. Not thread-safe.
//
// A timed worker is frozen between requests. Outputs are copied while it is frozen, so that threads
// which it left running cannot finish them.
class Remote {
 public:
  // Adds the worker's time to `used_time`; calls throw once its limit is exceeded.
  Remote(const Options& options, std::string worker, std::string library, UsedTime& used_time);

  // Starts the worker and loads the library. Throws Failure.
  void Start();

  // Makes one call: outputs and result are in place when it returns. Throws Failure; the worker is
  // then dead or must not be used again.
  void Call(const lab::Call& call);

  // As Call, with the worker frozen before and after. With `accounted` its threads' load is
  // measured.
  CallTimes TimedCall(const lab::Call& call, bool accounted);

  // The simulator's counters of the last call, as the worker wrote them. Throws Failure where it
  // wrote none. With --mode=counters only.
  SharedText Profile();

  // Asks the worker to exit and checks how it ended. Throws Failure.
  void Quit();

  // The worker's stacks when a call did not return, as of Process::AskForStacks; that of the thread
  // that a signal ended.
  const std::string& stacks() const { return stacks_; }

  // The end of what the worker printed to stderr.
  std::string ErrorOutput() const;

  // The simulator's findings, from a file of their own: not from what the program printed.
  std::string Findings() const;

  std::vector<std::string> protections_lost() const;

 private:
  WorkerFiles FilesOfWorker() const;
  CallTimes CallWithin(const lab::Call& call, bool timed, bool accounted);
  // How long wire::Op::kTouch takes, with the worker frozen before and after it.
  double TouchSeconds();
  void Run(wire::Request& request, wire::Op op, wire::Reply& reply);
  // Throws the Failure of the event, or of the reply's status, if there is one.
  void Check(Process::Event event, const wire::Reply& reply);
  void CheckStatus(const wire::Reply& reply);
  // Throws where the host, not a kernel, did the work of the call.
  void CheckAccount(const lab::Call& call, const wire::Reply& reply) const;
  [[noreturn]] void ThrowDeath();
  [[noreturn]] void ThrowForged();
  [[noreturn]] void ThrowTooBusy() const;
  void Freeze();
  void Thaw();
  std::string LimitNote() const;

  const Options& options_;
  std::string worker_;
  std::string library_;
  UsedTime& used_time_;
  Arenas arenas_;
  // Open in every mode, so that the descriptors do not tell a program the mode.
  SharedFile profile_{"profile"};
  SharedFile findings_{"findings"};
  SharedText text_;
  std::optional<Process> process_;
  bool frozen_ = false;
  bool trusted_ = true;  // no code of the library has run yet: whatever goes wrong is our fault
  std::string where_;    // where the worker is, in words
  const lab::Call* call_ = nullptr;
  std::string stacks_;
};

}  // namespace grader::checker
