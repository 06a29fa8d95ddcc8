#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/checker/options.h"
#include "grader/sandbox/checker/output.h"
#include "grader/sandbox/jail/descriptor.h"
#include "grader/sandbox/jail/jail.h"
#include "grader/sandbox/wire/wire.h"

namespace grader::checker {

using Deadline = std::chrono::steady_clock::time_point;

// The deadline that many seconds from now.
Deadline In(double seconds);

// What a worker shares with the checker: descriptors here, and their numbers in the worker.
using WorkerFiles = std::vector<std::pair<int, int>>;

// A jailed worker process and the pipes to it. Not thread-safe. Trusts nothing that it reads.
class Process {
 public:
  // What came first.
  enum class Event {
    kReply,        // a whole frame with the right nonce
    kDeadline,     // nothing yet
    kDied,         // no reply will come; fault() may say why
    kOutputLimit,  // it prints too much
    kForged,       // an unsolicited frame
  };

  // Starts `worker LIBRARY` in a jail, with these files open for it; they are not owned.
  // Throws JailError.
  Process(const Options& options, const std::string& worker, const std::string& library,
          const WorkerFiles& files);

  // Sends a request. Does nothing when the worker is dead: Wait will say so.
  void Send(const wire::Request& request);

  // Waits for the reply with this nonce, draining what the worker prints meanwhile. Sleeps, never
  // spins.
  Event Wait(std::uint64_t nonce, Deadline deadline, wire::Reply& reply);

  // Whether no unsolicited frame has arrived.
  bool IsQuiet();

  // The stacks of the worker's threads, as it reports them: one line for each thread, with the
  // function outside the library that it is in ("?": one without a name; "-": none) and the hex
  // offsets of its frames in the library, the innermost first. Leaves out threads that do not
  // answer within half a second. The worker must not be used afterwards.
  std::string AskForStacks();

  // How the worker ended, waiting until the deadline for that; then kills whatever is left and
  // reads the rest of its output. nullopt when it had to be killed. Throws JailError when it never
  // started.
  std::optional<ExitStatus> End(Deadline deadline);

  // The fault report of a worker that died of a signal.
  const std::optional<wire::Fault>& fault() const { return fault_; }
  const std::string& fault_text() const { return fault_text_; }
  // Where it was, a line as of AskForStacks(); empty if it did not say.
  const std::string& fault_stack() const { return fault_stack_; }

  Jail& jail() { return *jail_; }
  const Jail& jail() const { return *jail_; }
  const Output& output() const { return output_; }

 private:
  enum class Frame { kNone, kPartial, kWhole, kEnd };

  Frame ReadReply(wire::Reply& reply);
  // Waits until the worker printed something, sent something on `replies` (-1: whatever it sends)
  // or ended, or until the deadline; true when it has ended.
  bool Sleep(int replies, Deadline deadline);
  // Reads the replies that have arrived; nullopt: keep waiting.
  std::optional<Event> TakeReply(std::uint64_t nonce, wire::Reply& reply);
  // Whether the reply is what a dying worker says; keeps the first of each kind.
  bool KeepFault(const wire::Reply& reply);

  Output output_;
  Descriptor requests_;
  Descriptor replies_;
  std::optional<Jail> jail_;
  std::vector<std::byte> partial_;  // of the next frame
  std::optional<wire::Fault> fault_;
  std::string fault_text_;
  std::string fault_stack_;
};

}  // namespace grader::checker
