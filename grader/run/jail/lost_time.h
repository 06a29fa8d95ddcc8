#pragma once

namespace grader {

// Of `elapsed` seconds, those that others on the machine took from a program that used
// `cpu_seconds` of `cores` cores meanwhile, and one of whose threads waited for a core for
// `waited_seconds` in all. A thread that sleeps waits for no core, and a program that has all cores
// waits for itself alone: neither is owed anything.
double LostSeconds(double elapsed, double cpu_seconds, double waited_seconds, int cores);

}  // namespace grader
