#include "common/lab/testing/show_parallelism.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/lab/call/access_shares.h"
#include "common/lab/call/call_observer.h"
#include "common/lab/call/counted_library.h"
#include "common/lab/call/team_size.h"
#include "common/lab/not_written.h"
#include "common/timing/load_watch.h"
#include "common/timing/stopping_rule.h"
#include "common/timing/stopwatch.h"
#include "common/timing/team_loads.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LAB_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LAB_IS_SANITIZED 1
#endif
#endif
#ifndef LAB_IS_SANITIZED
#define LAB_IS_SANITIZED 0
#endif

namespace lab {
namespace {

// A sanitizer's program spends its time otherwise, so its figures would say nothing.
constexpr bool kIsSanitized = LAB_IS_SANITIZED;

constexpr int kTeam = 4;
constexpr int kMostCountedCalls = 4;     // as in the grader
constexpr double kBudgetSeconds = 3;     // as in the labs' lab.toml
constexpr double kWidestInterval = 0.3;  // of the median

// Watches the threads of this process while they are in the function.
class Watch : public CallObserver {
 public:
  explicit Watch(int team) : team_(team) {}

  void Begin(const Call& call) override {
    function_ = call.function;
    watch_.emplace(getpid(), team_);
  }

  void End() override {
    load_ = watch_->Stop();
    watch_.reset();
  }

  const std::string& function() const { return function_; }
  const std::optional<Load>& load() const { return load_; }

 private:
  const int team_;
  std::string function_;
  std::optional<LoadWatch> watch_;
  std::optional<Load> load_;
};

// Counts what the threads use in the function.
class Counting : public CallObserver {
 public:
  Counting(const CountedLibrary& library, int team) : library_(library), team_(team) {}

  void Begin(const Call& call) override { library_.Begin(call); }
  void End() override { shared_by_ = library_.End(team_); }

  double shared_by() const { return shared_by_; }

 private:
  const CountedLibrary& library_;
  const int team_;
  double shared_by_ = 0;
};

// In a few calls, as the grader makes them; 0 where it cannot be counted.
double MostSharedBy(const std::function<void(int team)>& call, double speedup) {
  const CountedLibrary* const library = CountedLibrary::Get();
  if (library == nullptr) return 0;
  const CountedLibrary::Use use(*library);
  const TeamSize team(kTeam);
  library->SetTeam(kTeam);
  double most = 0;
  for (int calls = 0; calls < kMostCountedCalls && MostSpeedup(most) < speedup; ++calls) {
    Counting counting(*library, kTeam);
    try {
      call(kTeam);
    } catch (const NotWritten&) {  // with --config=solutions, which tests another file
      return 0;
    }
    most = std::max(most, counting.shared_by());
  }
  return most;
}

void PrintShares(const std::function<void(int team)>& call, double speedup) {
  const double shared_by = MostSharedBy(call, speedup);
  if (shared_by == 0) return;
  std::printf("  the inputs and outputs were shared by %.1f threads at most\n", shared_by);
  if (MostSpeedup(shared_by) < speedup) {
    std::printf("  So an expected speedup of %.1f counts: the others did not share the work.\n",
                MostSpeedup(shared_by));
  }
}

void Print(const std::string& function, const PairedRatios& speedup, std::size_t rounds,
           const TeamFigures& figures) {
  std::printf("  %s with %d threads: ", function.c_str(), kTeam);
  const Interval& interval = speedup.interval;
  if (interval.high - interval.low > kWidestInterval * speedup.median) {
    std::printf(
        "this machine is too busy to tell, or the calls differ too much: after\n"
        "  %zu rounds the expected speedup is from %.1f to %.1f. Next: end other programs, and "
        "test "
        "again\n",
        rounds, interval.low, interval.high);
    return;
  }
  std::printf(
      "expected speedup %.1f (%.1f to %.1f, %zu rounds):\n"
      "  %.1f ran or waited for a core on average, busiest/mean %.2f, CPU time %.2f times that of "
      "one thread\n",
      speedup.median, interval.low, interval.high, rounds, figures.runnable, figures.balance,
      figures.inflation);
  if (figures.copies > 1) {
    std::printf(
        "  The CPU time grows with the number of threads, as if %d did the work %.1f times.\n",
        kTeam, figures.copies);
  }
}

// A line of JSON for //common/timeline:show, in the file that LAB_PARALLELISM names.
void Write(const std::string& function, const PairedRatios& speedup, const TeamFigures& figures) {
  const char* path = std::getenv("LAB_PARALLELISM");
  if (path == nullptr) return;
  std::ofstream(path, std::ios::app)
      << "{\"function\":\"" << function << "\",\"speedup\":" << speedup.median
      << ",\"low\":" << speedup.interval.low << ",\"high\":" << speedup.interval.high
      << ",\"runnable\":" << figures.runnable << ",\"balance\":" << figures.balance
      << ",\"inflation\":" << std::max(figures.inflation, figures.copies) << "}\n";
}

}  // namespace

void ShowParallelism(const std::function<void(int team)>& call) {
  if (kIsSanitized || std::getenv("LAB_UNTIMED") != nullptr || !KernelCountsWaits()) {
    const TeamSize team(kTeam);
    return call(kTeam);
  }
  const StoppingRule rule{
      .full = kTeam, .zero = 0, .budget_seconds = kBudgetSeconds, .resolution = 0.05};
  TeamLoads loads(kTeam);
  std::random_device random;
  std::string function;
  std::vector<double> speedups;
  const Stopwatch stopwatch;
  // False when the test has failed.
  const auto run = [&](int threads, bool counts) {
    const TeamSize team(threads);
    Watch watch(threads);
    call(threads);
    if (testing::Test::HasFailure() || !watch.load()) return false;
    function = watch.function();
    if (counts) loads.Add(threads, *watch.load());
    return true;
  };
  if (!run(kTeam, false)) return;  // threads start, caches warm up
  do {
    const int round = static_cast<int>(speedups.size());
    for (const int threads : TeamLoads::SizesOf(round, kTeam, random())) {
      if (!run(threads, true)) return;
    }
    speedups = loads.Speedups();
  } while (WantsAnotherPair(rule, speedups, stopwatch.Seconds()));
  const PairedRatios speedup = Summarize(rule, speedups);
  Print(function, speedup, speedups.size(), loads.Figures());
  Write(function, speedup, loads.Figures());
  PrintShares(call, speedup.median);
}

}  // namespace lab
