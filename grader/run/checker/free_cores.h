#pragma once

namespace grader::checker {

// Cores that `threads` threads really got while they spun for that long: at most `threads`, less
// where others are at work. Blocks for `seconds` or, on a busy machine, a little longer.
double SpunCores(int threads, double seconds);

// Cores in that figure that count as free: a little of each is always lost to the system.
int WholeCores(double spun);

// How many of `most` cores are free now. Looks for 50 ms, up to three times: whoever is busy for a
// moment only is waited for.
int FreeCores(int most);

}  // namespace grader::checker
