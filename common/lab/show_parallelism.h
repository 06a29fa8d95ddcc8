#pragma once

#include <functional>

namespace lab {

// Runs call(4), which calls ONE function ONCE with a team of that many threads, and prints what the
// grader measures: how many threads ran or waited for a core on average, how equally they shared
// the work, and the CPU time of the team over that of one thread, which call(1) gives. Only calls
// of several milliseconds give meaningful figures. Prints nothing where the kernel does not count
// run-queue waits.
//
//   lab::ShowParallelism([&](int team) { EXPECT_EQ(sum(values, team), want); });
//
// Each call runs within a lab::TeamSize. OpenMP's threads must sleep while they wait, as in the
// grader: OMP_WAIT_POLICY=passive in the environment.
void ShowParallelism(const std::function<void(int team)>& call);

}  // namespace lab
