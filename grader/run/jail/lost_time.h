#pragma once

#include <cstdint>

namespace grader {

// What the threads of a program ran and waited for cores, from its start to one moment.
struct CoreTimes {
  std::int64_t cpu_us = 0;           // user and system time of all threads, ended ones among them
  std::int64_t living_cpu_us = 0;    // the same of the threads that live
  std::int64_t longest_wait_us = 0;  // run-queue wait of the living thread that waited longest
  std::int64_t pressure_us = 0;      // during which any thread on this machine waited for a core
};

// The run-queue wait of a program between two moments, in microseconds: of the living thread that
// waited longest. A thread that ended takes its wait with it; where threads that ran between the
// two moments have ended, all time with a waiting thread on the machine counts as theirs.
std::int64_t WaitedMicroseconds(const CoreTimes& before, const CoreTimes& now);

// Of `elapsed` seconds, those that other programs took from one that used `cpu_seconds` of `cores`
// cores meanwhile and waited in run queues for `waited_seconds`. A sleeping thread is in no run
// queue, and a program that has all cores waits for its own threads only: both give 0.
double LostSeconds(double elapsed, double cpu_seconds, double waited_seconds, int cores);

// How long at least one thread on this machine has waited for a core since it was started, by the
// kernel's pressure stall information. 0 where the kernel does not say.
std::int64_t CpuPressureMicroseconds();

}  // namespace grader
