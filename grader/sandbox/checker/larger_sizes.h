#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "grader/sandbox/checker/used_time.h"

namespace grader::checker {

// Race checkers are about that much slower than the program: tests divide large sizes by it.
inline constexpr std::size_t kRacesDivisor = 16;

// Repeats tests under a race checker with larger sizes, as far as a budget of time allows, to find
// races that depend on a size. Not thread-safe.
class LargerSizes {
 public:
  // `program` is the submission's time and must outlive it.
  explicit LargerSizes(const UsedTime& program) : program_(program) {}

  // GoogleTest's filter for the tests to repeat; empty if there are none, or no more time.
  std::string NextRound();
  // Whether tests are being repeated, after the first round.
  bool IsRepeating() const { return is_repeating_; }

  // Sets the divisor of sizes for a test that begins, by its suite and name.
  void Begin(const std::string& suite, const std::string& name);
  // Where a test failed its suite's are not repeated.
  void End(bool passed);

 private:
  // What is known of a test that makes large inputs.
  struct Known {
    std::size_t divisor = kRacesDivisor;
    double seconds = 0;
    double growth = 3;  // with the size: an exponent, at first of what is cubic
  };

  // The least divisor with which the test is expected to keep within what is left.
  std::size_t Fitting(const Known& known) const;
  // The time of the submission's calls and of this process.
  double Seconds() const;

  const UsedTime& program_;
  std::map<std::pair<std::string, std::string>, Known> known_;
  std::pair<std::string, std::string> running_;
  std::size_t divisor_ = kRacesDivisor;
  double begun_ = 0;
  double left_ = 0.2;  // seconds
  bool is_repeating_ = false;
};

}  // namespace grader::checker
