#include "common/timing/stopping_rule.h"

#include <algorithm>

namespace lab {
namespace {

bool IsLook(std::size_t pairs, std::size_t first) {
  std::size_t look = first;
  while (look < pairs) look += std::max<std::size_t>(1, look / 4);
  return look == pairs;
}

}  // namespace

std::string_view Name(Decision decision) {
  switch (decision) {
    case Decision::kFull:
      return "full";
    case Decision::kZero:
      return "zero";
    case Decision::kBetween:
      return "between";
    case Decision::kUndecided:
      return "undecided";
  }
  return "undecided";
}

std::size_t StoppingRule::MinPairs() const { return SamplesForMedianInterval(confidence); }

double StoppingRule::Share(double ratio) const {
  return std::clamp((zero - ratio) / (zero - full), 0.0, 1.0);
}

Decision StoppingRule::Decide(const Interval& ratio) const {
  if (ratio.high <= full) return Decision::kFull;
  if (ratio.low >= zero) return Decision::kZero;
  // Not the difference of shares: an interval from just below `zero` to far above it is undecided.
  if (ratio.high - ratio.low < resolution * (zero - full)) return Decision::kBetween;
  return Decision::kUndecided;
}

PairedRatios Summarize(const StoppingRule& rule, std::span<const double> ratios) {
  const Interval interval = MedianInterval(ratios, rule.confidence);
  return {Median(ratios), interval, rule.Decide(interval)};
}

bool WantsAnotherPair(const StoppingRule& rule, std::span<const double> ratios, double seconds) {
  const std::size_t first = rule.MinPairs();
  if (ratios.size() < first) return true;
  if (ratios.size() >= rule.max_pairs || seconds >= rule.budget_seconds) return false;
  if (!IsLook(ratios.size(), first)) return true;
  return Summarize(rule, ratios).decision == Decision::kUndecided;
}

}  // namespace lab
