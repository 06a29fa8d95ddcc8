#include "common/timing/stopping_rule.h"

#include <algorithm>
#include <cmath>

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

Decision StoppingRule::Decide(const Interval& value) const {
  const bool less_is_better = full < zero;
  if (less_is_better ? value.high <= full : value.low >= full) return Decision::kFull;
  if (less_is_better ? value.low >= zero : value.high <= zero) return Decision::kZero;
  // Not the difference of shares: an interval from just below `zero` to far above it is undecided.
  if (value.high - value.low < resolution * std::abs(zero - full)) return Decision::kBetween;
  return Decision::kUndecided;
}

bool StoppingRule::MayEarnAll(const Interval& value) const {
  return full < zero ? value.low <= full : value.high >= full;
}

bool StoppingRule::IsHopeless(double value) const {
  return full < zero ? value / 2 >= zero : value * 2 <= zero;
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
