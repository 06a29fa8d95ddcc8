#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/jail/seccomp.h"

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
  // A message-passing program: its ranks are processes, and share memory.
  bool starts_ranks = false;
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

// What its system call filter must allow.
inline ProgramNeeds NeedsOf(const JailSpec& spec) {
  return {spec.compiles, !spec.devices.empty(), spec.starts_ranks};
}

}  // namespace grader
