#pragma once

#include "grader/sandbox/checker/shared_file.h"

namespace grader::checker {

inline constexpr std::size_t kMaxProfiles = 64;  // of one test

// Adds the CUDA simulator's counters of one call, as the worker reports them, to the running test's
// result. Throws Failure (judge_error) when the hidden test makes too many calls.
void RecordProfile(const SharedText& profile);

}  // namespace grader::checker
