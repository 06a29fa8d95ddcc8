#pragma once

namespace grader::checker {

// CPU time over wall time of `threads` threads that spin for `seconds`: at most `threads`, less on
// a busy machine. Blocks for `seconds` or, on a busy machine, a little longer.
double SpunCores(int threads, double seconds);

// `spun` as a number of free cores: the system always takes a little of each.
int WholeCores(double spun);

// How many cores are free now, at most `most`. The maximum of up to three measurements of 50 ms, so
// that a short load does not count.
int FreeCores(int most);

}  // namespace grader::checker
