#pragma once

#include <functional>

namespace lab {

// Measures the parallelism of ONE function as the grader does, and prints its name and the figures:
// the expected speedup with its interval, how many of four threads ran or waited for a core on
// average, how equally they shared the work, the CPU time of the team over that of one thread, and
// the busiest thread's share of the inputs and outputs, where the file could be built to count it.
// Runs call(team) with teams of four threads, of one and of other sizes, which calls the function
// ONCE, until the interval is narrow, or for three seconds; on a machine that is too busy to tell
// it says so. Only calls of several milliseconds give meaningful figures. Prints nothing where a
// call fails. Makes one call and prints nothing under a sanitizer, where the kernel does not count
// run-queue waits, or with LAB_UNTIMED in the environment. Appends the figures to the file that
// LAB_PARALLELISM names, if any.
//
//   lab::ShowParallelism([&](int team) { EXPECT_EQ(sum(values, team), want); });
//
// Each call runs within a lab::TeamSize. OpenMP's threads must sleep while they wait, as in the
// grader: OMP_WAIT_POLICY=passive in the environment.
void ShowParallelism(const std::function<void(int team)>& call);

}  // namespace lab
