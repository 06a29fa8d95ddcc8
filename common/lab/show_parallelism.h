#pragma once

#include <functional>

namespace lab {

// Runs call(4), which calls ONE function ONCE with a team of that many threads, and prints what the
// grader looks at: how many threads ran or waited for a core on average, how equally they shared
// the work, and the CPU time of the team over that of one thread, for which call(1) runs. Only
// calls of several milliseconds tell something. Prints nothing where the kernel does not count.
//
//   lab::ShowParallelism([&](int team) { EXPECT_EQ(sum(values, team), want); });
//
// Each call runs within a lab::TeamSize. OpenMP's threads must sleep while they wait, as in the
// grader: OMP_WAIT_POLICY=passive in the environment.
void ShowParallelism(const std::function<void(int team)>& call);

}  // namespace lab
