#pragma once

#include <string_view>

namespace grader::checker {

// Cores that this process may use by its affinity and its cgroups' quotas, at least 1.
int AllowedCores();

// Cores that `threads` threads really got while they spun for that long: at most `threads`, less
// where others are at work. Blocks for `seconds` or, on a busy machine, a little longer.
double SpunCores(int threads, double seconds);

// Cores in that figure that count as free: a little of each is always lost to the system.
int WholeCores(double spun);

// How many of `most` cores are free now. Looks for 50 ms, up to three times: whoever is busy for a
// moment only is waited for.
int FreeCores(int most);

// Cores that a quota of CPU time gives: infinity for none. Of version 2's cpu.max ("200000 100000",
// "max 100000"), and of version 1's two files.
double QuotaOf(std::string_view cpu_max);
double QuotaOf(std::string_view cfs_quota_us, std::string_view cfs_period_us);

}  // namespace grader::checker
