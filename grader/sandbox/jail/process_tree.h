#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace grader {

// Operations on the descendants of a jail's first process, for machines without cgroups. Orphans in
// a jail are adopted by that first process, so they stay its descendants.

// All living descendants of `first`, itself excluded. Empty when it is gone.
std::vector<pid_t> Descendants(pid_t first);

// Sends SIGSTOP until every thread of every descendant is stopped; false if one still runs at the
// deadline.
bool StopDescendants(pid_t first, std::chrono::steady_clock::time_point deadline);
void ContinueDescendants(pid_t first);

// Signals at most `limit` of the descendants' threads and returns how many it signalled.
int SignalThreads(pid_t first, int signal, int limit);

// Kills descendants until there are none; gives up after two seconds.
void KillDescendants(pid_t first);

// User and system time of the living descendants.
std::int64_t DescendantsCpuMicroseconds(pid_t first);

// Of the living threads of the descendants, since each was started: their total CPU time, and the
// longest run-queue wait of one. 0 where the kernel does not count.
struct ThreadTimes {
  std::int64_t ran_us = 0;
  std::int64_t longest_wait_us = 0;
};
ThreadTimes TimesOfLivingThreads(pid_t first);

}  // namespace grader
