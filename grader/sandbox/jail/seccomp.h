#pragma once

#include <compare>
#include <string>

namespace grader {

// The system call filter of a jailed program as a BPF program (an array of struct sock_filter): an
// allowlist of the calls that the accepted samples of all labs make in every build. Any other call,
// also one newer than the list, fails with ENOSYS; calls of another architecture kill the process.
//
// A program may start threads; only one that `starts_processes` may also start processes, and
// change files and folders as compilers do. One that `uses_devices` may talk to a driver. One that
// `starts_ranks` may do both and install a narrower filter, as each rank does before it loads what
// was handed in. None may open sockets of a network or trace other processes. Built once per
// process for each kind; thread-safe. Throws JailError.
struct ProgramNeeds {
  bool starts_processes = false;
  bool uses_devices = false;
  bool starts_ranks = false;

  auto operator<=>(const ProgramNeeds&) const = default;
};
const std::string& ProgramFilter(const ProgramNeeds& needs);

// Bubblewrap runs under this filter, which refuses the calls that bubblewrap does not need: its
// first process in the jail installs the program's filter on itself only after it has started the
// program, which could write to its memory in between.
const std::string& SetupFilter();

}  // namespace grader
