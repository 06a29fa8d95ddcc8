#pragma once

// Benchmarks that compare several ways of doing one job, for programs that are run by hand.

#include <functional>
#include <string>
#include <vector>

namespace lab {

inline constexpr int kWarmUpRounds = 3;  // not timed
inline constexpr int kTimedRounds = 21;

// One way of doing the job: a solution, or a baseline.
struct Candidate {
  std::string name;
  double work;                     // of one run: bytes that must move, operations, ...; 0: no rate
  std::function<void()> run;       // once
  std::function<bool()> is_right;  // looks at the result of the last run
  std::vector<double> milliseconds{};  // of each timed round

  // After RunRounds.
  double Median() const;  // in milliseconds
  double Rate() const;    // billions of units of work a second: GB/s, GFLOP/s, ...
};

// Calls a function and returns how many milliseconds it took.
using Clock = std::function<double(const std::function<void()>&)>;

// Runs all candidates once a round, in turn, so that a busy machine slows all of them, each after
// prepare(), and checks each result. Adds kTimedRounds times to each candidate's. False, and a line
// on stderr, as soon as a result is wrong.
bool RunRounds(std::vector<Candidate>& candidates, const std::function<void()>& prepare,
               const Clock& clock);

// Prints for each candidate its median time, its rate in `unit`, and how many times as fast as the
// first candidate it is: the median of the rounds' ratios, and an interval that holds it with a
// confidence of 95 %.
void PrintComparison(const std::string& title, const std::string& unit,
                     const std::vector<Candidate>& candidates);

}  // namespace lab
