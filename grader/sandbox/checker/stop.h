#pragma once

#include <functional>

namespace grader::checker {

inline constexpr int kNoResult = 3;  // the exit code without a result

// From now on SIGTERM, SIGINT, SIGHUP and SIGQUIT make StopRequests() readable instead of ending
// the program: code that polls it calls Stop(), so that jails and their cgroups are removed first.
// `clean_up` must not throw. Call once, before any thread is started.
void WatchForStop(std::function<void()> clean_up);

// Readable when the program is asked to stop; -1, which poll() ignores, before WatchForStop.
int StopRequests();

// Cleans up and ends the program without a result.
[[noreturn]] void Stop();

}  // namespace grader::checker
