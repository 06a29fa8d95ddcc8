#include "common/timing/load.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

constexpr double kShortTurnNanoseconds = 100e3;
// Of the wall time. On a busy machine most of it are waits, and the rest is a small difference.
constexpr double kCertainlyKnown = 0.95;

// Times at which one thread more or less is runnable.
using Steps = std::vector<std::pair<double, int>>;

// How many threads were runnable, over time.
class RunnableOverTime {
 public:
  RunnableOverTime(Steps steps, int most) {
    std::ranges::sort(steps);
    int runnable = 0;
    double before = 0, sum = 0;
    for (const auto& [time, step] : steps) {
      if (runnable > 0) {
        sum += (time - before) * std::min(runnable, most);
        active_ += time - before;
      }
      runnable += step;
      before = time;
      times_.push_back(time);
      sums_.push_back(sum);
    }
  }

  // Between two of the steps.
  double Mean(double begin, double end) const {
    return begin < end ? (SumUntil(end) - SumUntil(begin)) / (end - begin) : 1;
  }

  // How long any was.
  double Active() const { return active_; }

 private:
  double SumUntil(double time) const {
    const auto found = std::ranges::lower_bound(times_, time) - times_.begin();
    return sums_[std::min<std::size_t>(static_cast<std::size_t>(found), sums_.size() - 1)];
  }

  std::vector<double> times_;
  std::vector<double> sums_;  // of runnable threads times time, until each
  double active_ = 0;
};

struct Sum {
  double run_ns = 0;
  double span_ns = 0;
};

}  // namespace

double LoadLedger::Turn::UsefulWait() const {
  return wait_ns * std::min(1.0, run_ns / kShortTurnNanoseconds) / std::max(1.0, count);
}

void LoadLedger::Add(Entry& entry, const ThreadTimes& now, std::int64_t at_ns) {
  Turn& turn = entry.turn;
  if (now.turns > entry.last.turns) turns_.push_back(std::exchange(turn, {}));
  if (now.turns > entry.last.turns || now.run_ns > entry.last.run_ns) {
    turn.end_ns = static_cast<double>(at_ns);
  }
  turn.wait_ns += static_cast<double>(now.wait_ns - entry.last.wait_ns);
  turn.count += static_cast<double>(now.turns - entry.last.turns);
  turn.run_ns += static_cast<double>(now.run_ns - entry.last.run_ns);
  turn.born_within = entry.born_within;
  entry.last = now;
}

void LoadLedger::Start(std::span<const ThreadTimes> threads, std::int64_t process_ns) {
  entries_.clear();
  turns_.clear();
  for (const ThreadTimes& now : threads) entries_[now.thread] = {false, now, now, {}};
  process_ns_ = process_ns;
}

void LoadLedger::Look(std::span<const ThreadTimes> threads, std::int64_t at_ns) {
  for (const ThreadTimes& now : threads) {
    const ThreadTimes birth{now.thread, 0, 0, 0};
    const Entry born{true, birth, birth, {}};
    Entry& entry = entries_.try_emplace(now.thread, born).first->second;
    if (now.run_ns < entry.last.run_ns) {  // the id of a thread that ended was reused
      turns_.push_back(std::exchange(entry, born).turn);
    }
    Add(entry, now, at_ns);
  }
}

std::vector<LoadLedger::Turn> LoadLedger::AllTurns() const {
  std::vector<Turn> turns = turns_;
  for (const auto& [thread, entry] : entries_) turns.push_back(entry.turn);
  std::erase_if(turns, [](const Turn& turn) { return turn.run_ns + turn.wait_ns <= 0; });
  return turns;
}

Load LoadLedger::Finish(std::int64_t process_ns, double wall_seconds) const {
  const std::vector<Turn> turns = AllTurns();
  Steps useful, whole;
  for (const Turn& turn : turns) {
    useful.emplace_back(turn.Begin(), 1);
    useful.emplace_back(turn.end_ns, -1);
    whole.emplace_back(turn.end_ns - turn.run_ns - turn.wait_ns, 1);
    whole.emplace_back(turn.end_ns, -1);
  }
  const RunnableOverTime runnable(useful, team_);
  const double active_ns = RunnableOverTime(whole, team_).Active();
  Sum all, born;
  for (const Turn& turn : turns) {
    const double span_ns = turn.run_ns / std::max(1.0, runnable.Mean(turn.Begin(), turn.end_ns));
    all.run_ns += turn.run_ns;
    all.span_ns += span_ns;
    if (!turn.born_within) continue;
    born.run_ns += turn.run_ns;
    born.span_ns += span_ns;
  }
  double busiest_ns = 0;
  for (const auto& [thread, entry] : entries_) {
    busiest_ns = std::max(busiest_ns, entry.RunNanoseconds());
  }
  const double run_ns = std::max(static_cast<double>(process_ns - process_ns_), all.run_ns);
  const double wall_ns = wall_seconds * 1e9;
  double span_ns = wall_ns;
  if (all.run_ns > 0) {
    const Sum& like = born.run_ns > 0 ? born : all;
    const double missed_ns = run_ns - all.run_ns;
    span_ns = all.span_ns + missed_ns * like.span_ns / like.run_ns;
    span_ns += std::max(0.0, wall_ns * kCertainlyKnown - active_ns * run_ns / all.run_ns);
  }
  return {wall_seconds, run_ns * 1e-9, span_ns * 1e-9, busiest_ns * 1e-9};
}

}  // namespace lab
