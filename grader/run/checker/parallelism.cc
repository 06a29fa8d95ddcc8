#include "grader/run/checker/parallelism.h"

#include <optional>
#include <vector>

#include "common/lab/team_size.h"
#include "common/timing/expected_speedup.h"
#include "common/timing/statistics.h"
#include "grader/run/checker/control.h"
#include "grader/run/checker/free_cores.h"
#include "grader/run/checker/result.h"

namespace grader::checker {
namespace {

constexpr int kRoundsAlone = 3;
constexpr double kShortestTeamCallSeconds = 5e-3;  // a scheduler's slice is 3 ms

// A call, and where its load goes.
struct TeamCall {
  Target target;
  std::vector<lab::Load>* loads;
};

double MedianOf(const std::vector<lab::Load>& loads, double lab::Load::*member) {
  std::vector<double> values;
  for (const lab::Load& load : loads) values.push_back(load.*member);
  return lab::Median(values);
}

// One run of MeasureParallelism.
class Measurement {
 public:
  Measurement(const ParallelismSuite& suite, int team, int free_cores, const MakeCase& make_case)
      : suite_(suite), team_(team), make_case_(make_case), free_cores_(free_cores) {
    if (!lab::KernelCountsWaits()) assumed_cores_ = free_cores;
  }

  // nullopt when the test has failed.
  std::optional<TeamMeasured> Run(bool is_slow) {
    // Workers start, caches warm up: not counted.
    std::vector<lab::Load> unused;
    if (!RunTeam(team_, {{Target::kStudent, &unused}})) return std::nullopt;
    if (is_slow) return RunSeries(true);
    const std::optional<TeamMeasured> measured = RunSeries(false);
    if (!measured || suite_.rule.MayEarnAll({measured->low, measured->high})) return measured;
    return RunSeries(true);
  }

 private:
  // nullopt when the test has failed.
  std::optional<TeamMeasured> RunSeries(bool is_controlled) {
    const BudgetClock clock(TheSession().student_spending());
    team_loads_.clear();
    std::vector<double> speedups, control;
    do {
      if (!RunRound(is_controlled)) return std::nullopt;
      speedups = Speedups(team_loads_, StudentCost());
      control = Speedups(control_loads_, ReferenceCost());
    } while (WantsAnotherRound(suite_.rule, speedups, control, clock.Seconds()));
    TeamMeasured measured = Summary(speedups);
    measured.control = ControlOf(suite_.rule, control);
    return measured;
  }

  // False when the test has failed.
  bool RunRound(bool is_controlled) {
    std::vector<TeamCall> calls{{Target::kStudent, &team_loads_}};
    if (is_controlled) calls.push_back({Target::kReference, &control_loads_});
    if (!RunTeam(team_, calls)) return false;
    if (alone_.size() == kRoundsAlone) return true;
    return RunTeam(1, {{Target::kStudent, &alone_}, {Target::kReference, &reference_alone_}});
  }

  // Makes the calls on one input. False when the test has failed.
  bool RunTeam(int threads, const std::vector<TeamCall>& calls) {
    const lab::TeamSize team(threads);
    const TimedCase timed_case(make_case_, random_);
    for (const TeamCall& call : calls) {
      const std::optional<CallTimes> times = timed_case.Run(call.target, true);
      if (!times) return false;
      call.loads->push_back(times->load.value());
    }
    return true;
  }

  double RunnableOf(const lab::Load& load) const {
    if (assumed_cores_) return lab::RunnableThreadsByRunTime(load, team_, *assumed_cores_);
    return lab::RunnableThreads(load, team_);
  }

  lab::JobCost StudentCost() const {
    return {MedianOf(alone_, &lab::Load::run_seconds),
            MedianOf(reference_alone_, &lab::Load::run_seconds)};
  }

  lab::JobCost ReferenceCost() const {
    const double alone = MedianOf(reference_alone_, &lab::Load::run_seconds);
    return {alone, alone};
  }

  double InflationOf(const lab::Load& load, const lab::JobCost& cost) const {
    return lab::WorkInflation(load.run_seconds, cost, suite_.cap);
  }

  std::vector<double> Speedups(const std::vector<lab::Load>& loads,
                               const lab::JobCost& cost) const {
    std::vector<double> speedups;
    for (const lab::Load& load : loads) {
      speedups.push_back(
          lab::ExpectedSpeedup(load, team_, RunnableOf(load), InflationOf(load, cost)));
    }
    return speedups;
  }

  TeamMeasured Summary(const std::vector<double>& speedups) const {
    const lab::PairedRatios summary = lab::Summarize(suite_.rule, speedups);
    const double alone_seconds = MedianOf(alone_, &lab::Load::wall_seconds);
    const double team_seconds = MedianOf(team_loads_, &lab::Load::wall_seconds);
    return {
        .value = summary.median,
        .low = summary.interval.low,
        .high = summary.interval.high,
        .rounds = speedups.size(),
        .decision = std::string(lab::Name(summary.decision)),
        .runnable = MedianOver([&](const lab::Load& load) { return RunnableOf(load); }),
        .inflation =
            MedianOver([&](const lab::Load& load) { return InflationOf(load, StudentCost()); }),
        .balance = MedianOver([&](const lab::Load& load) { return load.Balance(team_); }),
        .speedup = alone_seconds / team_seconds,
        .alone_ms = alone_seconds * 1e3,
        .shortest_ms = kShortestTeamCallSeconds * 1e3,
        .short_calls = team_seconds < kShortestTeamCallSeconds,
    };
  }

  template <typename Of>
  double MedianOver(const Of& of) const {
    std::vector<double> values;
    for (const lab::Load& load : team_loads_) values.push_back(of(load));
    return lab::Median(values);
  }

  const ParallelismSuite& suite_;
  const int team_;
  const MakeCase& make_case_;
  const int free_cores_;
  std::optional<int> assumed_cores_;
  lab::Random random_;
  std::vector<lab::Load> team_loads_, control_loads_, alone_, reference_alone_;
};

}  // namespace

void MeasureParallelism(const ParallelismSuite& suite, int team, const MakeCase& make_case,
                        bool is_slow) {
  static const int free_cores = FreeCores(team);  // once a run: it takes 50 ms at least
  TeamRun& run = TheResult().Running().team_run.emplace();
  run = {.team = team, .cores = free_cores, .waits_counted = lab::KernelCountsWaits()};
  if (!run.waits_counted && free_cores < 2) return;
  run.measured = Measurement(suite, team, free_cores, make_case).Run(is_slow);
}

}  // namespace grader::checker
