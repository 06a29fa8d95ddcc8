#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "common/timing/statistics.h"

namespace lab {

// What a series of timed pairs says about the thresholds.
enum class Decision {
  kFull,       // the ratio is at or below `full`
  kZero,       // it is at or above `zero`
  kBetween,    // known well enough for partial points
  kUndecided,  // not known yet, or not known when the budget ended
};

// "full", "zero", "between" or "undecided".
std::string_view Name(Decision decision);

// When to stop measuring pairs (student's time, reference's time). Immutable; thread-safe.
struct StoppingRule {
  double full = 1;           // ratio that earns all points
  double zero = 2;           // ratio that earns none; above `full`
  double confidence = 0.95;  // of the ratio's interval at each look
  double budget_seconds = 5;
  std::size_t max_pairs = 200;
  double resolution = 0.02;  // share of the points that the interval may leave open

  // Below this number nothing is decided, whatever the budget: the interval is unbounded.
  std::size_t MinPairs() const;

  // Share of the points for a ratio: 1 up to `full`, 0 from `zero`, linear between.
  double Share(double ratio) const;

  Decision Decide(const Interval& ratio) const;
};

// The pairs so far, as ratios student / reference.
struct PairedRatios {
  double median;
  Interval interval;
  Decision decision;
};

// `ratios` must not be empty; each is positive. O(n log n).
PairedRatios Summarize(const StoppingRule& rule, std::span<const double> ratios);

// Whether one more pair should be measured after `ratios.size()` pairs in `seconds`. Looks at the
// interval only when the number of pairs has grown by a quarter, so that looking often doesn't turn
// noise into a decision.
bool WantsAnotherPair(const StoppingRule& rule, std::span<const double> ratios, double seconds);

}  // namespace lab
