#include "grader/sandbox/checker/request_timer.h"

#include <algorithm>
#include <chrono>

#include "grader/sandbox/jail/allowed_cores.h"

namespace grader::checker {
namespace {

// The deadline is postponed up to this multiple of the limit: on a busier machine a time says
// nothing about a program.
constexpr double kMaxExtension = 5;

// Seconds: the deadline is not postponed by less, as reading the accounts takes as long.
constexpr double kMinExtension = 0.05;

// Seconds before the accounts are read for the first time; until then all time counts as the
// program's.
constexpr double kFirstSample = 0.2;

double Seconds(Deadline::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

Deadline After(Deadline start, double seconds) {
  return start +
         std::chrono::duration_cast<Deadline::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

RequestTimer::RequestTimer(const Jail& jail, double limit_seconds)
    : jail_(jail),
      limit_seconds_(limit_seconds),
      start_(std::chrono::steady_clock::now()),
      deadline_(After(start_, std::min(limit_seconds, kFirstSample))) {}

bool RequestTimer::Extend() {
  if (!before_) {
    before_ = TakeSample();
    deadline_ = After(start_, limit_seconds_);
    return true;
  }
  const Sample now = TakeSample();
  const double granted = limit_seconds_ + LostUntil(now);
  const double most = kMaxExtension * limit_seconds_;
  const double soonest = Seconds(now.when - start_) + kMinExtension;
  machine_was_too_busy_ = granted >= soonest && most < soonest;
  if (std::min(granted, most) < soonest) return false;
  deadline_ = After(start_, std::min(granted, most));
  return true;
}

double RequestTimer::Used() const {
  if (!before_) return Seconds(std::chrono::steady_clock::now() - start_);
  const Sample now = TakeSample();
  return Seconds(now.when - start_) - LostUntil(now);
}

double RequestTimer::LostUntil(const Sample& now) const {
  const CoreTimes& before = before_->times;
  return LostSeconds(Seconds(now.when - before_->when), 1e-6 * (now.times.cpu_us - before.cpu_us),
                     1e-6 * WaitedMicroseconds(before, now.times), OthersSeconds(before, now.times),
                     AllowedCores());
}

RequestTimer::Sample RequestTimer::TakeSample() const {
  return {std::chrono::steady_clock::now(), jail_.Times()};
}

}  // namespace grader::checker
