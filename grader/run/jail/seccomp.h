#pragma once

#include <string>

namespace grader {

// The system call filter of a jail as a BPF program (an array of struct sock_filter). It refuses
// what reaches out of the jail (ptrace, mounts, namespaces, bpf, keys, ...), io_uring, sockets
// other than AF_UNIX, and calls newer than the list; calls of another architecture kill the
// process. Built once per process; thread-safe. Throws JailError.
const std::string& SystemCallFilter();

}  // namespace grader
