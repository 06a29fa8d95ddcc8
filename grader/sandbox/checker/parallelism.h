#pragma once

#include "grader/sandbox/checker/options.h"
#include "grader/sandbox/checker/pairs.h"

namespace grader::checker {

// Measures from outside of the student's process how parallel its code is, and records it for the
// running test as its team_run. Valid on any number of cores, idle or busy.
//
// With a team of `team` threads the kernel counts the time that each thread runs and the time that
// it waits for a core that it then uses (common/timing/load.h). Their sum over the call's
// wall time says how many threads were runnable on average: the parallelism that the machine could
// use if it had the cores. From it, the work inflation and the busiest thread's share follows the
// expected speedup over one thread (common/timing/expected_speedup.h), on which the rule decides.
//
// Each round is one call by a team on fresh input. In the first rounds the student's and the
// reference's code run with one thread, too: their medians are what a team is compared with. The
// rounds' expected speedups go on until the confidence interval of their median decides, as in
// common/timing/stopping_rule.h. Where the budget ends undecided, the interval's upper end
// counts, in the student's favour.
//
// Time says that threads are busy, not with what: where it earns points, a build of the student's
// code whose accesses are counted says how many threads shared the inputs and outputs. That bounds
// the speedup (common/lab/call/access_shares.h).
//
// Code that `is_slow`, which earned nothing for its time, is measured beside the reference at once:
// its calls take long, and it rarely earns all points.
//
// Where the kernel does not count waits, run time over wall time is used where two cores are free;
// else team_run has no `measured`.
void MeasureParallelism(const ParallelismSuite& suite, int team, const MakeCase& make_case,
                        bool is_slow);

// Records the bound alone, without a clock: what it leaves open counts as `full`.
void BoundParallelism(const ParallelismSuite& suite, int team, const MakeCase& make_case);

}  // namespace grader::checker
