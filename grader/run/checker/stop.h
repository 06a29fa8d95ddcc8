#pragma once

#include <functional>

namespace grader::checker {

inline constexpr int kNoResult = 3;  // the exit code where there is none

// From now on SIGTERM, SIGINT, SIGHUP and SIGQUIT don't end the program at once: whoever waits on
// StopRequests() learns of them and calls Stop(), so that jails and their cgroups go first.
// `clean_up` must not throw. Call once, before any thread is started.
void WatchForStop(std::function<void()> clean_up);

// Readable when the program is asked to stop; -1, which poll() ignores, before WatchForStop.
int StopRequests();

// Cleans up and ends the program without a result.
[[noreturn]] void Stop();

}  // namespace grader::checker
