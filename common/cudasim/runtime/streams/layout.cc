#include "common/cudasim/runtime/streams/layout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace cudasim {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

struct HostThread {
  std::vector<const HostStep*> steps;
  std::size_t next = 0;
  Nanoseconds time = 0;
};

// A discrete event simulation: of all that can happen next the earliest happens.
class Simulation {
 public:
  explicit Simulation(const Trace& trace) : trace_(trace), states_(trace.operations.size()) {
    layout_.operations.resize(trace.operations.size());
    for (std::uint32_t i = 0; i < trace.operations.size(); ++i) {
      states_[i].missing = trace.operations[i].after.size() + 1;  // and to be submitted
      for (const std::uint32_t earlier : trace.operations[i].after) {
        states_[earlier].later.push_back(i);
      }
    }
    for (const HostStep& step : trace.steps) threads_[step.thread].steps.push_back(&step);
  }

  // On a tie the host comes first: what it submits may be what an engine takes next.
  Layout Run() {
    for (;;) {
      HostThread* thread = nullptr;
      Nanoseconds earliest = kNever;
      for (auto& [number, candidate] : threads_) {
        if (const Nanoseconds time = NextStep(candidate); time < earliest) {
          thread = &candidate;
          earliest = time;
        }
      }
      std::size_t engine = 0;
      for (std::size_t i = 1; i < kEngines; ++i) {
        if (const Nanoseconds time = NextStart(i); time < earliest) {
          engine = i;
          earliest = time;
        }
      }
      if (earliest == kNever) return std::move(layout_);
      if (engine != 0) {
        StartOn(engine, earliest);
      } else {
        Step(*thread, earliest);
      }
    }
  }

 private:
  struct State {
    std::size_t missing = 0;  // conditions for it to be ready
    Nanoseconds ready = 0;    // the latest of those that are met
    bool ended = false;
    std::vector<std::uint32_t> later;
  };
  using Ready = std::set<std::pair<Nanoseconds, std::uint32_t>>;

  Nanoseconds EndOf(std::uint32_t operation) const {
    return states_[operation].ended ? layout_.operations[operation].end : kNever;
  }

  // When the thread's next step is over or, if it submits or works, begins; kNever: not known yet.
  Nanoseconds NextStep(const HostThread& thread) const {
    if (thread.next == thread.steps.size()) return kNever;
    const HostStep& step = *thread.steps[thread.next];
    Nanoseconds time = thread.time;
    if (step.kind != HostStep::Kind::kWaits) return time;
    for (const std::uint32_t operation : step.operations) time = std::max(time, EndOf(operation));
    return time;
  }

  Nanoseconds NextStart(std::size_t engine) const {
    if (ready_[engine].empty()) return kNever;
    return std::max(free_[engine], ready_[engine].begin()->first);
  }

  void Step(HostThread& thread, Nanoseconds time) {
    const HostStep& step = *thread.steps[thread.next++];
    switch (step.kind) {
      case HostStep::Kind::kWorks:
        layout_.host_work.push_back({time, time + step.duration});
        layout_.busy += step.duration;
        thread.time += step.duration;
        break;
      case HostStep::Kind::kSubmits:
        thread.time += machine::kCall;
        for (const std::uint32_t operation : step.operations) Meet(operation, thread.time);
        break;
      case HostStep::Kind::kWaits:
        if (time == thread.time) break;
        layout_.host_waits.push_back({thread.time, time});
        thread.time = time + machine::kWakeUp;
        break;
    }
    layout_.makespan = std::max(layout_.makespan, thread.time);
  }

  void StartOn(std::size_t engine, Nanoseconds time) {
    const std::uint32_t operation = ready_[engine].begin()->second;
    ready_[engine].erase(ready_[engine].begin());
    const Nanoseconds duration = trace_.operations[operation].duration;
    free_[engine] = time + duration;
    layout_.busy += duration;
    layout_.streams.insert(trace_.operations[operation].stream);
    End(operation, {time, time + duration});
  }

  // A condition of the operation is met from `time` on.
  void Meet(std::uint32_t operation, Nanoseconds time) {
    State& state = states_[operation];
    state.ready = std::max(state.ready, time);
    if (--state.missing > 0) return;
    const auto engine = static_cast<std::size_t>(trace_.operations[operation].engine);
    if (engine != 0) {
      ready_[engine].insert({state.ready, operation});
    } else {
      markers_.push_back(operation);
      if (markers_.size() == 1) EndMarkers();
    }
  }

  // A loop and not a recursion, as markers may follow each other in a long chain.
  void EndMarkers() {
    for (std::size_t i = 0; i < markers_.size(); ++i) {
      const Nanoseconds time = states_[markers_[i]].ready;
      End(markers_[i], {time, time});
    }
    markers_.clear();
  }

  void End(std::uint32_t operation, const Interval& interval) {
    layout_.operations[operation] = interval;
    layout_.makespan = std::max(layout_.makespan, interval.end);
    states_[operation].ended = true;
    for (const std::uint32_t later : states_[operation].later) Meet(later, interval.end);
  }

  const Trace& trace_;
  std::vector<State> states_;
  std::map<unsigned, HostThread> threads_;
  std::array<Ready, kEngines> ready_;
  std::array<Nanoseconds, kEngines> free_{};
  std::vector<std::uint32_t> markers_;  // ready, not ended; those before the current one are
  Layout layout_;
};

}  // namespace

Layout LayOut(const Trace& trace) { return Simulation(trace).Run(); }

}  // namespace cudasim
