#include "common/benchmark/comparison.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "common/timing/statistics.h"

namespace lab {
namespace {

constexpr double kConfidence = 0.95;

// Of each round.
std::vector<double> Speedups(const Candidate& candidate, const Candidate& baseline) {
  std::vector<double> ratios(candidate.milliseconds.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    ratios[i] = baseline.milliseconds[i] / candidate.milliseconds[i];
  }
  return ratios;
}

}  // namespace

double Candidate::Median() const { return lab::Median(milliseconds); }

double Candidate::Rate() const { return work / Median() / 1e6; }

bool RunRounds(std::vector<Candidate>& candidates, const std::function<void()>& prepare,
               const Clock& clock) {
  for (int round = -kWarmUpRounds; round < kTimedRounds; ++round) {
    for (Candidate& candidate : candidates) {
      prepare();
      const double milliseconds = clock(candidate.run);
      if (!candidate.is_right()) {
        std::fprintf(stderr, "error: wrong result: %s\n", candidate.name.c_str());
        return false;
      }
      if (round >= 0) candidate.milliseconds.push_back(milliseconds);
    }
  }
  return true;
}

void PrintComparison(const std::string& title, const std::string& unit,
                     const std::vector<Candidate>& candidates) {
  std::size_t width = 4;
  for (const Candidate& candidate : candidates) width = std::max(width, candidate.name.size());
  const int columns = static_cast<int>(width);
  std::printf("\n%s, medians of %d\n\n", title.c_str(), kTimedRounds);
  std::printf("| %-*s | %9s | %8s | %8s | %14s |\n", columns, "what", "ms", unit.c_str(),
              "of first", "95 % interval");
  std::printf("| %s | --------: | -------: | -------: | -------------: |\n",
              std::string(width, '-').c_str());
  for (const Candidate& candidate : candidates) {
    const std::vector<double> speedups = Speedups(candidate, candidates.front());
    const Interval interval = MedianInterval(speedups, kConfidence);
    std::printf("| %-*s | %9.4f | %8.1f | %8.3f | %5.3f to %5.3f |\n", columns,
                candidate.name.c_str(), candidate.Median(), candidate.Rate(), Median(speedups),
                interval.low, interval.high);
  }
  std::fflush(stdout);
}

}  // namespace lab
