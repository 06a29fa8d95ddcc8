#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/sandbox/jail/error.h"
#include "grader/sandbox/jail/lost_time.h"
#include "grader/sandbox/jail/spec.h"

namespace grader {

struct ExitStatus {
  int code = 0;    // exit code when signal == 0
  int signal = 0;  // the signal that killed it. A program that exits with 128 + n looks the same
};

// A program running in a jail of its own: namespaces, user id, system call filter, limits, cgroups.
// Not thread-safe; different objects may be used from different threads. THE THREAD THAT CALLS
// Start MUST OUTLIVE THE JAIL: the kernel kills the jail when that thread ends.
class Jail {
 public:
  // Returns as soon as the jail exists; the program may not have started yet. Throws JailError.
  // A failure to set up the inside of the jail or to execute argv[0] is thrown by Poll or Wait.
  static Jail Start(const JailSpec& spec);

  Jail(Jail&&) noexcept;
  Jail& operator=(Jail&&) noexcept;
  Jail(const Jail&) = delete;
  Jail& operator=(const Jail&) = delete;
  ~Jail();  // as Kill(), then removes the cgroups

  // Stops every process in the jail; on return none of them runs. About 20 us when they are
  // blocked. Without a cgroup: SIGSTOP, best effort. False when one still runs at the deadline, for
  // instance in a long system call.
  bool Freeze(std::chrono::steady_clock::time_point deadline);
  void Thaw();  // throws JailError

  // Signals at most `limit` threads in the jail and returns how many it signalled. A thread without
  // a handler may die of it.
  int SignalThreads(int signal, int limit);

  // CPU time and run-queue wait of its processes so far. Without a cgroup cpu_us is that of living
  // processes.
  CoreTimes Times() const;

  // True when the kernel killed a process for memory (without a memory cgroup always false).
  bool OutOfMemory() const;
  // True when a fork or thread was refused for the limit (without a pids cgroup always false).
  bool PidsExceeded() const;

  // Kills every process in the jail, frozen or not; on return none is left. Idempotent.
  void Kill() noexcept;

  // The status of argv's process if it has ended; never blocks. Throws JailError if it was never
  // started. Processes that it left behind die with the jail.
  std::optional<ExitStatus> Poll();
  // As Poll, but waits until the deadline; nullopt when it still runs then.
  std::optional<ExitStatus> Wait(std::chrono::steady_clock::time_point deadline);

  // What this machine could not give this jail: short sentences without commas, most serious first.
  const std::vector<std::string>& protections_lost() const;

  // The host's process id of argv's process; -1 when it is gone.
  pid_t Program() const;

  // Readable (poll) when argv's process has ended. Owned by the jail.
  int pidfd() const;

 private:
  class State;
  explicit Jail(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What a jail would lack on this machine, found by starting one (about 10 ms). Throws JailError
// when none can be started.
std::vector<std::string> ProbeProtectionsLost();

}  // namespace grader
