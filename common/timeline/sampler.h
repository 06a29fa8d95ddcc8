#pragma once

// The kernel's side of a recording: how long threads ran and waited for a core, and where in the
// program they ran.

#include <sys/types.h>

#include <cstdint>

namespace lab::timeline {

// The file of the kernel's account of a thread; -1 where there is none.
int OpenSchedstat(pid_t thread);
// What a thread waited for a core since it began; -1 where the kernel does not count it.
std::int64_t ReadyNanoseconds(int schedstat);
// What it ran; 0 when it is gone.
std::int64_t RunNanoseconds(pid_t thread);

// Reads the accounts of all threads every half millisecond, or less often where that would take
// more than a hundredth of what they run.
void StartSampler();
void StopSampler();
// What that took of a core.
std::int64_t SamplerNanoseconds();

// The calling thread notes where it is, each time that it ran for another millisecond.
void StartTimer();
void StopTimer();

}  // namespace lab::timeline
