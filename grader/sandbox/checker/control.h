#pragma once

#include <optional>
#include <vector>

#include "common/timing/stopping_rule.h"
#include "grader/sandbox/checker/result.h"

namespace grader::checker {

// A busy machine can make any code look slow or serial for seconds. So a series of measurements
// that would cost the student points is repeated, and in each of its rounds the reference is
// measured in the student's place, too, by the same rule. If both programs were equal, each order
// of their measurements would be as likely as any other: where the reference's are decided to be at
// `full` or better and the student's are not, the difference is the student's (an exact permutation
// test; Lehmann, Nonparametrics: Statistical Methods Based on Ranks, chapter 1). So it is where the
// student's lie as far beyond those of a reference that is short of `full` (PartState.disturbed in
// judge/parts.py). Else the machine was too busy to tell.

// nullopt where there is no control.
std::optional<Control> ControlOf(const lab::StoppingRule& rule, const std::vector<double>& control);

// Whether the student's values or the control's, if there are any, need another round. Without a
// control a series ends once it cannot earn all points: then it is repeated with one.
bool WantsAnotherRound(const lab::StoppingRule& rule, const std::vector<double>& values,
                       const std::vector<double>& control, double seconds);

}  // namespace grader::checker
