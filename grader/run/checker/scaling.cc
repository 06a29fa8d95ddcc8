#include "grader/run/checker/scaling.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/team_size.h"
#include "common/timing/amdahl.h"
#include "common/timing/statistics.h"
#include "common/timing/stopwatch.h"
#include "grader/run/checker/free_cores.h"
#include "grader/run/checker/properties.h"

namespace grader::checker {
namespace {

constexpr int kFewestThreads = 2;
constexpr int kMostThreads = 8;
constexpr std::array kSizesBetween{2, 3, 4, 6};
constexpr int kRoundsBetween = 3;
constexpr double kLookSeconds = 0.02;

using Curve = std::map<int, Series>;  // by team size

std::optional<Pair> RunTeam(int threads, const MakeCase& make_case, lab::Random& random) {
  const lab::TeamSize team(threads);
  return RunPair(make_case, random);
}

// Whether the cores that a team needs were there in each of the looks between its rounds.
class CoreWatch {
 public:
  explicit CoreWatch(int threads) : threads_(threads), least_(threads) {}

  // Whether they are there now and were at the last look.
  bool Look() {
    const int free = std::min(threads_, WholeCores(SpunCores(threads_, kLookSeconds)));
    least_ = std::min(least_, free);
    const bool before = std::exchange(there_, free == threads_);
    return before && there_;
  }

  // The fewest that any look has found.
  int least() const { return least_; }

 private:
  int threads_;
  int least_;
  bool there_ = true;
};

void RecordCores(int free, int needed) {
  Record("scaling_free", static_cast<double>(free));
  Record("scaling_needed", static_cast<double>(needed));
}

template <typename Number>
std::string List(const std::vector<Number>& numbers) {
  std::string list;
  for (const Number number : numbers) {
    if (!list.empty()) list += ',';
    list += std::to_string(number);
  }
  return list;
}

// Records `who`'s speedups, in the order of the team sizes, and the fraction that fits them.
void RecordCurve(const std::string& who, const Curve& curve, std::vector<double> Series::*seconds) {
  const double alone = lab::Median(curve.at(1).*seconds);
  std::vector<lab::Speedup> speedups;
  std::vector<double> times;
  for (const auto& [threads, series] : curve) {
    times.push_back(alone / lab::Median(series.*seconds));
    speedups.push_back({threads, times.back()});
  }
  Record("scaling_" + who + "_speedups", List(times));
  Record("scaling_" + who + "_serial", lab::SerialFraction(speedups));
  Record("scaling_" + who + "_ms", alone * 1e3);
}

void RecordScaling(const lab::StoppingRule& rule, const std::vector<double>& ratios,
                   const Curve& curve) {
  const lab::PairedRatios summary = lab::Summarize(rule, ratios);
  Record("scaling_ratio", summary.median);
  Record("scaling_ratio_low", summary.interval.low);
  Record("scaling_ratio_high", summary.interval.high);
  Record("scaling_pairs", static_cast<double>(ratios.size()));
  Record("scaling_decision", lab::Name(summary.decision));
  std::vector<int> sizes;
  for (const auto& [threads, series] : curve) sizes.push_back(threads);
  Record("scaling_threads", List(sizes));
  RecordCurve("student", curve, &Series::student_seconds);
  RecordCurve("reference", curve, &Series::reference_seconds);
  if (lab::Median(curve.rbegin()->second.reference_seconds) < kShortestCallSeconds) {
    Record("scaling_short_calls", "true");
  }
}

// One run of MeasureScaling with teams of a given size.
class Measurement {
 public:
  Measurement(const lab::StoppingRule& rule, const MakeCase& make_case, int threads)
      : rule_(rule), make_case_(make_case), threads_(threads), watch_(threads) {}

  void Run() {
    // Workers start, caches warm up: not counted.
    if (!RunTeam(threads_, make_case_, random_) || !RunTeam(1, make_case_, random_)) return;
    watch_.Look();
    std::size_t disturbed = 0;
    while (lab::WantsAnotherPair(rule_, ratios_, stopwatch_.Seconds())) {
      if (stopwatch_.Seconds() >= rule_.budget_seconds && disturbed > ratios_.size()) {
        return RecordCores(watch_.least(), threads_);
      }
      const std::optional<bool> counted = RunRound();
      if (!counted) return;
      if (!*counted) ++disturbed;
    }
    // Where not even the reference scales, code that does not scale at all looks good: the cores
    // are there by name only, as those are that share their units.
    const double reference = ReferenceSpeedup();
    if (reference < rule_.zero) {
      return RecordCores(std::min(WholeCores(reference), threads_ - 1), threads_);
    }
    if (!RunBetween()) return;
    RecordCores(threads_, threads_);
    RecordScaling(rule_, ratios_, curve_);
  }

 private:
  // Whether the round counts: nobody else was at work. nullopt when the test has failed.
  std::optional<bool> RunRound() {
    std::optional<Pair> team;
    const bool team_first = random_.UniformInt(0, 1) == 0;
    if (team_first && !(team = RunTeam(threads_, make_case_, random_))) return {};
    const std::optional<Pair> alone = RunTeam(1, make_case_, random_);
    if (!alone) return {};
    if (!team_first && !(team = RunTeam(threads_, make_case_, random_))) return {};
    if (!watch_.Look()) return false;
    ratios_.push_back(team->ratio() / alone->ratio());
    curve_[1].Add(*alone);
    curve_[threads_].Add(*team);
    return true;
  }

  double ReferenceSpeedup() const {
    return lab::Median(curve_.at(1).reference_seconds) /
           lab::Median(curve_.at(threads_).reference_seconds);
  }

  // The sizes between, for the picture: as many as there is time for. False when the test failed.
  bool RunBetween() {
    for (int round = 0; round < kRoundsBetween; ++round) {
      for (const int threads : kSizesBetween) {
        if (threads >= threads_) break;
        if (stopwatch_.Seconds() >= 2 * rule_.budget_seconds) return true;
        const std::optional<Pair> pair = RunTeam(threads, make_case_, random_);
        if (!pair) return false;
        curve_[threads].Add(*pair);
      }
    }
    return true;
  }

  const lab::StoppingRule& rule_;
  const MakeCase& make_case_;
  const int threads_;
  CoreWatch watch_;
  lab::Random random_;
  const lab::Stopwatch stopwatch_;
  std::vector<double> ratios_;
  Curve curve_;
};

}  // namespace

void MeasureScaling(const lab::StoppingRule& rule, const MakeCase& make_case) {
  const int free = FreeCores(kMostThreads);
  if (free < kFewestThreads) return RecordCores(free, kFewestThreads);
  Measurement(rule, make_case, free).Run();
}

}  // namespace grader::checker
