#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/jail/lost_time.h"

namespace grader {

// One file or folder of this machine that the jailed program can see.
struct Bind {
  std::string source;  // absolute path here; must be readable by the jail's user id
  std::string target;  // absolute path in the jail
  bool writable = false;
};

// What to run and what it may use.
struct JailSpec {
  std::vector<std::string> argv;  // argv[0] is an absolute path in the jail
  std::vector<Bind> binds;
  std::vector<std::string> devices;  // device files to see and use, such as /dev/nvidia0
  // {descriptor here, its number in the jail}. The caller keeps its own descriptors. Numbers in the
  // jail must lie in [0, 64). 0, 1 and 2 are /dev/null where they are not listed; every other
  // descriptor of the caller is closed in the jail.
  std::vector<std::pair<int, int>> fds;
  std::vector<std::pair<std::string, std::string>> env;  // all of the environment but PATH and HOME
  // A command that compiles: it sees all of /usr and /etc/alternatives, not only the libraries,
  // and may start processes, not only threads.
  bool compiles = false;
  double wall_seconds = 0;  // in RunToEnd(), minus run-queue wait; 0: none
  double cpu_seconds = 0;   // of each process; of all of them in RunToEnd(); 0: none
  long memory_mb = 0;       // of all processes, tmpfs included
  long pids = 0;            // processes and threads
  long file_mb = 0;         // largest file the program may write
  long tmp_mb = 0;          // each of /tmp and /dev/shm
  long stack_mb = 0;
  // Writable memory that the program reserves and mostly never touches, such as the simulator's
  // stacks. Only RLIMIT_DATA counts it, which limits memory without a memory cgroup.
  long reserved_mb = 0;
  int uid = 0;                // on the host; 0: one that no other jail has. Ignored unless root
  bool disable_aslr = false;  // for ThreadSanitizer builds
  // The program reserves far more memory than it touches (sanitizers, CUDA). Without a memory
  // cgroup such a program runs without a memory limit; others get RLIMIT_DATA.
  bool huge_address_space = false;
  // Run the program without a jail where none can be started, with its paths rewritten to the bind
  // sources. Never set this for untrusted code unless a person has asked for it explicitly.
  bool allow_unjailed = false;
};

struct ExitStatus {
  int code = 0;    // exit code when signal == 0
  int signal = 0;  // the signal that killed it. A program that exits with 128 + n looks the same
};

// The jail itself failed: the judge's fault, never the program's. what() is one line with the
// problem and a second line "  next: ..." with the remedy.
class JailError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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
