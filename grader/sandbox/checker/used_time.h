#pragma once

#include "common/timing/stopwatch.h"

namespace grader::checker {

// The wall time minus run-queue wait that a program takes in one run of the checker. Its limit
// stops a program that is slow in every call, but never too slow in one. Not thread-safe.
class UsedTime {
 public:
  explicit UsedTime(double limit_seconds) : limit_seconds_(limit_seconds) {}

  void AddCall(double seconds) { calls_ += seconds; }
  void AddBetweenCalls(double seconds) { between_ += seconds; }

  double calls() const { return calls_; }
  // Outside of calls: loading, mapping arguments, freezing.
  double between_calls() const { return between_; }
  double limit_seconds() const { return limit_seconds_; }
  bool IsOver() const { return calls_ + between_ > limit_seconds_; }

 private:
  double limit_seconds_;
  double calls_ = 0;
  double between_ = 0;
};

// The time that a measurement has used of its budget. Excludes the program's time between calls, by
// which it could end the measurement early.
class BudgetClock {
 public:
  // Starts. `program` must outlive it.
  explicit BudgetClock(const UsedTime& program)
      : program_(program), between_before_(program.between_calls()) {}

  double Seconds() const {
    return stopwatch_.Seconds() - (program_.between_calls() - between_before_);
  }

 private:
  const UsedTime& program_;
  double between_before_;
  lab::Stopwatch stopwatch_;
};

}  // namespace grader::checker
