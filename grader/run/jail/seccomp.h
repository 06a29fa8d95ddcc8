#pragma once

#include <string>

namespace grader {

// The system call filter of a jailed program as a BPF program (an array of struct sock_filter). It
// refuses what reaches out of the jail (ptrace, mounts, namespaces, bpf, keys, ...), io_uring,
// sockets other than AF_UNIX, and calls newer than the list; calls of another architecture kill the
// process. Built once per process; thread-safe. Throws JailError.
const std::string& ProgramFilter();

// The same without what bubblewrap needs to set up a jail. Bubblewrap runs under this one, because
// its first process in the jail installs the program's filter on itself only after it has started
// the program, which could write to its memory in between.
const std::string& SetupFilter();

}  // namespace grader
