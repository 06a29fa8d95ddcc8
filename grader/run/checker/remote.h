#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call.h"
#include "common/timing/load.h"
#include "grader/run/checker/arenas.h"
#include "grader/run/checker/failure.h"
#include "grader/run/checker/options.h"
#include "grader/run/checker/process.h"
#include "grader/run/checker/shared_file.h"
#include "grader/run/checker/spending.h"
#include "grader/run/wire/wire.h"

namespace grader::checker {

// What a timed call took, by our clock.
struct CallTimes {
  double total_seconds = 0;  // from showing the inputs until the worker was frozen with the outputs
  // Of it, what is nobody's work. Copying to the simulator's device, as the worker says. On a GPU
  // what touching the GPU takes, and taking hold of the outputs, too.
  double overhead_seconds = 0;
  std::optional<lab::Load> load;  // of an accounted call
};

// A library in a jailed worker, called through lab::Call. Not thread-safe.
//
// While nothing is asked of it a worker that is timed stays frozen. Outputs are copied while it is
// frozen, so that threads which it left running cannot finish them.
class Remote {
 public:
  // `spending` grows by what the worker takes; when it is over, calls throw.
  Remote(const Options& options, std::string worker, std::string library, Spending& spending);

  // Starts the worker and loads the library. Throws Failure.
  void Start();

  // Makes one call: outputs and result are in place when it returns. Throws Failure; the worker is
  // dead or of no more use then.
  void Call(const lab::Call& call);

  // As Call, with the worker frozen before and after. With `accounted` its threads are watched.
  CallTimes TimedCall(const lab::Call& call, bool accounted);

  // What the simulator counted in the last call, as it says. Throws Failure where it says nothing.
  // With --mode=counters only.
  SharedText Profile();

  // Lets the worker end by itself, and looks at how it did. Throws Failure.
  void Quit();

  // Where the worker's threads were when a call did not return, as Process::AskForStacks says.
  const std::string& stacks() const { return stacks_; }

  // The end of what the worker printed to stderr.
  std::string ErrorOutput() const;

  // What the simulator found, in its words: nothing that the program printed.
  std::string Findings() const;

  std::vector<std::string> protections_lost() const;

 private:
  CallTimes CallWithin(const lab::Call& call, bool timed, bool accounted);
  // How long the worker takes to touch the GPU, standing still before and after it.
  double TouchSeconds();
  void Run(wire::Request& request, wire::Op op, wire::Reply& reply);
  // Throws what the event, or the status of the reply, says went wrong.
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
  Spending& spending_;
  Arenas arenas_;
  // In every mode: what is open must not tell a program which one it is.
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
