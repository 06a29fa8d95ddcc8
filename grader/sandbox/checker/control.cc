#include "grader/sandbox/checker/control.h"

#include <string>

namespace grader::checker {

std::optional<Control> ControlOf(const lab::StoppingRule& rule,
                                 const std::vector<double>& control) {
  if (control.empty()) return std::nullopt;
  const lab::PairedRatios summary = lab::Summarize(rule, control);
  return Control{summary.interval.low, summary.interval.high,
                 std::string(lab::Name(summary.decision))};
}

bool WantsAnotherRound(const lab::StoppingRule& rule, const std::vector<double>& values,
                       const std::vector<double>& control, double seconds) {
  const bool is_bounded = values.size() >= rule.MinPairs();
  if (control.empty() && is_bounded && !rule.MayEarnAll(lab::Summarize(rule, values).interval)) {
    return false;
  }
  return lab::WantsAnotherPair(rule, values, seconds) ||
         (!control.empty() && lab::WantsAnotherPair(rule, control, seconds));
}

}  // namespace grader::checker
