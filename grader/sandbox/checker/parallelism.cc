#include "grader/sandbox/checker/parallelism.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/lab/call/access_shares.h"
#include "common/lab/call/run_settings.h"
#include "common/lab/call/team_size.h"
#include "common/timing/team_loads.h"
#include "grader/sandbox/checker/control.h"
#include "grader/sandbox/checker/free_cores.h"
#include "grader/sandbox/checker/result.h"

namespace grader::checker {
namespace {

constexpr int kMostCountedCalls = 4;
constexpr std::size_t kCountedDivisor = 4;         // of the sizes of counted calls, which are slow
constexpr double kShortestTeamCallSeconds = 5e-3;  // a scheduler's slice is 3 ms

// While it lives, tests make smaller inputs.
struct ScaledSizes {
  explicit ScaledSizes(std::size_t divisor) { lab::SetScaleDivisor(divisor); }
  ~ScaledSizes() { lab::SetScaleDivisor(1); }
};

// One run of MeasureParallelism.
class Measurement {
 public:
  Measurement(const ParallelismSuite& suite, int team, std::optional<int> assumed_cores,
              const MakeCase& make_case)
      : suite_(suite),
        team_(team),
        make_case_(make_case),
        student_(team, assumed_cores),
        reference_(team, assumed_cores) {}

  // nullopt when the test has failed.
  std::optional<TeamMeasured> Run(bool is_slow) {
    // Workers start, caches warm up: not counted.
    lab::TeamLoads unused(team_);
    if (!RunTeam(team_, {{Target::kStudent, &unused}})) return std::nullopt;
    std::optional<TeamMeasured> measured = RunSeries(is_slow);
    if (!is_slow && measured && !EarnsAll(*measured)) measured = RunSeries(true);
    const bool may_earn = measured && measured->value > suite_.rule.zero;
    if (!may_earn || TheSession().options().counted.empty()) return measured;
    return Bounded(*measured);
  }

  // The same. All that the bound leaves open.
  std::optional<TeamMeasured> Bound() {
    const double full = suite_.rule.full;
    const std::string decision(lab::Name(lab::Decision::kFull));
    return Bounded({.value = full, .low = full, .high = full, .decision = decision});
  }

 private:
  // Whether the points need no control. An undecided value earns nothing where its median does not.
  bool EarnsAll(const TeamMeasured& measured) const {
    return suite_.rule.MayEarnAll({measured.low, measured.high}) &&
           measured.value > suite_.rule.zero;
  }

  // With the bound by who used the inputs and outputs. Threads that start late may leave more to
  // the others: the best of a few calls counts. nullopt when the test has failed.
  std::optional<TeamMeasured> Bounded(TeamMeasured measured) {
    const lab::TeamSize team(team_);
    const ScaledSizes scaled(kCountedDivisor);
    const double needed = std::min(measured.high, suite_.rule.full);
    for (int calls = 0; calls < kMostCountedCalls; ++calls) {
      const std::optional<CallTimes> times =
          TimedCase(make_case_, random_).Run(Target::kCounted, false);
      if (!times) return std::nullopt;
      const double shared_by = lab::SharedBy(times->shares, team_);
      measured.shared_by = std::max(measured.shared_by, shared_by);
      if (lab::MostSpeedup(measured.shared_by) >= needed) return measured;
    }
    const double most = lab::MostSpeedup(measured.shared_by);
    for (double* figure : {&measured.value, &measured.low, &measured.high}) {
      *figure = std::min(*figure, most);
    }
    const bool is_none = most <= suite_.rule.zero;
    measured.decision = lab::Name(is_none ? lab::Decision::kZero : lab::Decision::kBetween);
    return measured;
  }

  // A call, and where its load goes.
  struct TeamCall {
    Target target;
    lab::TeamLoads* loads;
  };

  // nullopt when the test has failed.
  std::optional<TeamMeasured> RunSeries(bool is_controlled) {
    const BudgetClock clock(TheSession().student_time());
    student_.ClearTeam();
    std::vector<TeamCall> calls{{Target::kStudent, &student_}};
    if (is_controlled) calls.push_back({Target::kReference, &reference_});
    std::vector<double> speedups, control;
    int round = 0;
    do {
      const std::uint64_t draw = random_.Next();
      for (const int threads : lab::TeamLoads::SizesOf(round, team_, draw)) {
        if (!RunTeam(threads, calls)) return std::nullopt;
      }
      ++round;
      speedups = student_.Speedups();
      if (is_controlled) control = reference_.Speedups();
    } while (WantsAnotherRound(suite_.rule, speedups, control, clock.Seconds()));
    TeamMeasured measured = Summary(speedups);
    measured.control = ControlOf(suite_.rule, control);
    return measured;
  }

  // Makes the calls on one input. False when the test has failed.
  bool RunTeam(int threads, const std::vector<TeamCall>& calls) {
    const lab::TeamSize team(threads);
    const TimedCase timed_case(make_case_, random_);
    for (const TeamCall& call : calls) {
      const std::optional<CallTimes> times = timed_case.Run(call.target, true);
      if (!times) return false;
      call.loads->Add(threads, times->load.value());
    }
    return true;
  }

  TeamMeasured Summary(const std::vector<double>& speedups) const {
    const lab::PairedRatios summary = lab::Summarize(suite_.rule, speedups);
    const lab::TeamFigures figures = student_.Figures();
    return {
        .value = summary.median,
        .low = summary.interval.low,
        .high = summary.interval.high,
        .rounds = speedups.size(),
        .decision = std::string(lab::Name(summary.decision)),
        .runnable = figures.runnable,
        .inflation = figures.inflation,
        .copies = figures.copies,
        .balance = figures.balance,
        .speedup = figures.alone_seconds / figures.team_seconds,
        .alone_ms = figures.alone_seconds * 1e3,
        .shortest_ms = kShortestTeamCallSeconds * 1e3,
        .short_calls = figures.team_seconds < kShortestTeamCallSeconds,
    };
  }

  const ParallelismSuite& suite_;
  const int team_;
  const MakeCase& make_case_;
  lab::Random random_;
  lab::TeamLoads student_, reference_;
};

}  // namespace

void MeasureParallelism(const ParallelismSuite& suite, int team, const MakeCase& make_case,
                        bool is_slow) {
  static const int free_cores = FreeCores(team);  // once a run: it takes 50 ms at least
  TeamRun& run = TheResult().Running().team_run.emplace();
  run = {.team = team, .cores = free_cores, .waits_counted = lab::KernelCountsWaits()};
  if (!run.waits_counted && free_cores < 2) return;
  const std::optional<int> assumed_cores =
      run.waits_counted ? std::nullopt : std::optional(free_cores);
  run.measured = Measurement(suite, team, assumed_cores, make_case).Run(is_slow);
}

void BoundParallelism(const ParallelismSuite& suite, int team, const MakeCase& make_case) {
  TeamRun& run = TheResult().Running().team_run.emplace();
  run = {.team = team, .cores = 0, .waits_counted = true};
  run.measured = Measurement(suite, team, std::nullopt, make_case).Bound();
}

}  // namespace grader::checker
