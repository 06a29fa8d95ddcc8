#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "common/timing/statistics.h"

namespace lab {

// What a series of measurements says about the thresholds.
enum class Decision {
  kFull,       // the value is at `full` or better
  kZero,       // it is at `zero` or worse
  kBetween,    // known well enough for partial points
  kUndecided,  // not known yet, or not known when the budget ended
};

// "full", "zero", "between" or "undecided".
std::string_view Name(Decision decision);

// When to stop measuring. The values are ratios of two times (student's / reference's), where less
// is better and full < zero, or something of which more is better, such as a speedup: zero < full.
// Immutable; thread-safe.
struct StoppingRule {
  double full = 1;           // value that earns all points
  double zero = 2;           // value that earns none; differs from `full`
  double confidence = 0.95;  // of the median's interval at each look
  double budget_seconds = 5;
  std::size_t max_pairs = 200;
  double resolution = 0.02;  // share of the points that the interval may leave open

  // Below this number nothing is decided, whatever the budget: the interval is unbounded.
  std::size_t MinPairs() const;

  Decision Decide(const Interval& value) const;

  // Whether the interval's better end, which counts where it is undecided, earns all points.
  bool MayEarnAll(const Interval& value) const;

  // Whether one measurement is twice as far out as it must be to earn nothing.
  bool IsHopeless(double value) const;
};

// The measurements so far, such as ratios student / reference.
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
