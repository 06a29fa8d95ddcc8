#include "grader/sandbox/jail/outcome.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "grader/sandbox/jail/allowed_cores.h"
#include "grader/sandbox/jail/lost_time.h"
#include "grader/sandbox/jail/output_capture.h"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One run of a program.
class Run {
 public:
  Run(const JailSpec& spec, std::size_t output_bytes, int stop_fd)
      : spec_(spec), stop_fd_(stop_fd), output_(output_bytes), jail_(Start()) {
    output_.CloseWriteEnd();
  }

  Outcome ToEnd() {
    while (!status_ && !timed_out_ && !output_.overflowed()) Step();
    const double wall = SecondsSince(start_);
    UpdateTimes();
    jail_.Kill();
    // What the program wrote before it ended; its writers are dead, so this ends.
    while (open_ && output_.Drain() && Readable()) {
    }
    if (!status_) status_ = jail_.Poll();
    Outcome outcome;
    outcome.kind = Kind();
    outcome.status = status_.value_or(ExitStatus{0, SIGKILL});
    outcome.wall_seconds = wall;
    outcome.cpu_seconds = cpu_seconds_;
    outcome.output = output_.text();
    outcome.output_truncated = output_.overflowed();
    outcome.protections_lost = jail_.protections_lost();
    return outcome;
  }

 private:
  Jail Start() {
    JailSpec spec = spec_;
    spec.fds.emplace_back(output_.write_end(), 1);
    spec.fds.emplace_back(output_.write_end(), 2);
    return Jail::Start(spec);
  }

  // Of the program nothing is known yet.
  CoreTimes StartTimes() const {
    const CoreTimes now = jail_.Times();
    return {.pressure_us = now.pressure_us, .machine_us = now.machine_us};
  }

  void Step() {
    pollfd events[] = {
        {open_ ? output_.fd() : -1, POLLIN, 0}, {jail_.pidfd(), POLLIN, 0}, {stop_fd_, POLLIN, 0}};
    poll(events, 3,
         static_cast<int>(
             std::clamp(MillisecondsLeft(), kMinPollMilliseconds, kMaxPollMilliseconds)));
    if (events[2].revents != 0) {
      throw JailError("interrupted by a signal\n  next: run it again");
    }
    if (events[0].revents != 0) open_ = output_.Drain();
    if (events[1].revents != 0) status_ = jail_.Poll();
    if (!status_ && OutOfTime()) timed_out_ = true;
  }

  double MillisecondsLeft() const {
    if (spec_.wall_seconds <= 0) return kMaxPollMilliseconds;
    return (spec_.wall_seconds + lost_seconds_ - SecondsSince(start_)) * 1000;
  }

  void UpdateTimes() {
    const double elapsed = SecondsSince(start_);
    // The largest value so far: without a cgroup the time of an ended process is lost.
    CoreTimes now = jail_.Times();
    now.cpu_us = std::max(now.cpu_us, before_.cpu_us);
    cpu_seconds_ = static_cast<double>(now.cpu_us) * 1e-6;
    waited_us_ += WaitedMicroseconds(before_, now);
    before_ = now;
    lost_seconds_ = LostSeconds(elapsed, cpu_seconds_, 1e-6 * static_cast<double>(waited_us_),
                                OthersSeconds(at_start_, now), cores_);
  }

  bool OutOfTime() {
    UpdateTimes();
    if (spec_.wall_seconds > 0 && SecondsSince(start_) - lost_seconds_ >= spec_.wall_seconds) {
      return true;
    }
    // RLIMIT_CPU applies to each process separately.
    return spec_.cpu_seconds > 0 && cpu_seconds_ >= spec_.cpu_seconds;
  }

  bool Readable() const {
    pollfd event{output_.fd(), POLLIN, 0};
    return poll(&event, 1, 0) > 0;
  }

  // The cause rather than the symptom: a fork bomb also runs out of time.
  std::string Kind() const {
    if (output_.overflowed()) return "output_limit";
    if (jail_.OutOfMemory()) return "memory_limit";
    const bool clean = status_ && status_->signal == 0 && status_->code == 0 && !timed_out_;
    if (!clean && jail_.PidsExceeded()) return "pids_limit";
    if (timed_out_ || (status_ && status_->signal == SIGXCPU)) return "time_limit";
    return status_->signal != 0 ? "signaled" : "exited";
  }

  // Between two readings of the clocks.
  static constexpr double kMaxPollMilliseconds = 50;
  static constexpr double kMinPollMilliseconds = 5;

  const JailSpec& spec_;
  const int stop_fd_;
  OutputCapture output_;
  Jail jail_;
  const Clock::time_point start_ = Clock::now();
  const int cores_ = AllowedCores();
  double cpu_seconds_ = 0;
  double lost_seconds_ = 0;     // to other programs
  std::int64_t waited_us_ = 0;  // in run queues
  const CoreTimes at_start_ = StartTimes();
  CoreTimes before_ = at_start_;  // at the last update
  bool open_ = true;
  bool timed_out_ = false;
  std::optional<ExitStatus> status_;
};

// Bytes that are not UTF-8 become U+FFFD.
std::string OnOneLine(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

Outcome RunToEnd(const JailSpec& spec, std::size_t output_bytes, int stop_fd) {
  return Run(spec, output_bytes, stop_fd).ToEnd();
}

std::string ToJson(const Outcome& outcome) {
  return OnOneLine({{"outcome", outcome.kind},
                    {"code", outcome.status.code},
                    {"signal", outcome.status.signal},
                    {"wall_s", outcome.wall_seconds},
                    {"cpu_s", outcome.cpu_seconds},
                    {"output", outcome.output},
                    {"output_truncated", outcome.output_truncated},
                    {"protections_lost", outcome.protections_lost}});
}

std::string ProbeToJson(const std::vector<std::string>& protections_lost) {
  return OnOneLine({{"protections_lost", protections_lost}});
}

}  // namespace grader
