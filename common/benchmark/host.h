#pragma once

// Comparisons of host code, and its baselines.

#include <cstddef>
#include <string>
#include <vector>

#include "common/benchmark/comparison.h"

namespace lab {

// Runs the candidates in turn by the wall clock and prints how they compare; work is in bytes.
// False if a result was wrong.
bool CompareOnHost(const std::string& title, std::vector<Candidate> candidates);

// Reads half of `bytes` and writes as many with OpenMP's threads and memcpy, which for long blocks
// bypasses the caches: the bandwidth limit of code that reads and writes.
Candidate HostCopy(std::size_t bytes);

// Reads `bytes` bytes with OpenMP's threads, one word of each cache line, so that only memory
// limits it: the bandwidth limit of code that only reads.
Candidate HostRead(std::size_t bytes);

}  // namespace lab
