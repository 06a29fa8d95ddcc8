#pragma once

#include <string>

namespace grader {

// The system call filter of a jailed program as a BPF program (an array of struct sock_filter): a
// list of what is allowed, made from what the accepted samples of all labs use in every build. Any
// other call, also one newer than the list, is answered as if the kernel did not know it; calls of
// another architecture kill the process.
//
// A program may start threads; only one that `starts_processes` may start processes, too, and
// change files and folders as compilers do. One that `uses_devices` may talk to a driver. None may
// install filters, open sockets outside of a driver's, or watch others. Built once per process for
// each kind; thread-safe. Throws JailError.
const std::string& ProgramFilter(bool starts_processes, bool uses_devices);

// Bubblewrap runs under this one, which refuses what it does not need, because its first process
// in the jail installs the program's filter on itself only after it has started the program, which
// could write to its memory in between.
const std::string& SetupFilter();

}  // namespace grader
