#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grader {

// CPU time and run-queue wait of a program's threads, from its start to one moment.
struct CoreTimes {
  std::int64_t cpu_us = 0;           // user and system time of all threads, ended ones included
  std::int64_t living_cpu_us = 0;    // the same of the living threads
  std::int64_t longest_wait_us = 0;  // run-queue wait of the living thread that waited longest
  // Time in which any thread waited for a core, summed over the machine's processors; machine_us
  // where the kernel does not tell.
  std::int64_t pressure_us = 0;
  std::int64_t machine_us = 0;  // as MachineCpuMicroseconds
};

// The run-queue wait of a program between two moments, in microseconds: that of the living thread
// that waited longest. The kernel drops the wait of a thread that ends; where threads that ran
// between the two moments have ended, all time in which any thread waited counts, which may be
// more than all time.
std::int64_t WaitedMicroseconds(const CoreTimes& before, const CoreTimes& now);

// CPU seconds of everything but the program between two moments. Unbounded where the kernel does
// not tell: no machine does less than one of its programs.
double OthersSeconds(const CoreTimes& before, const CoreTimes& now);

// Of `elapsed` seconds, the run-queue wait that other programs caused: `waited_seconds`, but no
// more than those programs ran, nor than the time that `cpu_seconds` on `cores` cores leave. 0 for
// sleeping threads, which are in no run queue, and for a program that waits only for its own
// threads, on whichever cores.
double LostSeconds(double elapsed, double cpu_seconds, double waited_seconds, double others_seconds,
                   int cores);

// Microseconds in which at least one thread waited for a core, in the kernel's pressure stall
// information: the text of a cgroup's cpu.pressure. nullopt for any other text. The kernel averages
// over the processors that are not idle: of the wait on one of n busy ones it counts an nth.
std::optional<std::int64_t> PressureMicroseconds(std::string_view text);

// CPU time of all programs since the machine started, to a tick of the kernel's, and what its host
// took from it, in the text of /proc/stat. 0 for any other text.
std::int64_t MachineCpuMicroseconds(const std::string& stat);

}  // namespace grader
