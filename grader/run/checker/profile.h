#pragma once

#include "grader/run/checker/shared_file.h"

namespace grader::checker {

inline constexpr std::size_t kMaxProfiles = 64;  // of one test

// Adds what a worker says that the CUDA simulator counted to the running test's result. Throws
// Failure when there are too many: the hidden test is to blame.
void RecordProfile(const SharedText& profile);

}  // namespace grader::checker
