#pragma once

#include "common/timing/stopping_rule.h"
#include "grader/run/checker/pairs.h"

namespace grader::checker {

// Measures how much worse the student's code scales than the reference's, and records it for the
// running test as properties scaling_*. With P threads, as many as there are free cores but at most
// 8, the figure that the rule decides on is
//
//   (student's time / reference's time with P threads) / (the same with one thread)
//
// where the two pairs of calls get different inputs, so that nothing is won by remembering answers.
// For the picture the sizes between are measured too, a few times. Where there are fewer than two
// free cores, or they do not stay free, or with them the reference is not even `rule.zero` times as
// fast, no figure is recorded but how many cores there were.
void MeasureScaling(const lab::StoppingRule& rule, const MakeCase& make_case);

}  // namespace grader::checker
