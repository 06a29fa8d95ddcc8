#include "common/timing/load.h"

#include <algorithm>
#include <iterator>
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

}  // namespace

double LoadLedger::Turn::UsefulWait() const {
  return wait_ns * std::min(1.0, run_ns / kShortTurnNanoseconds) / std::max(1.0, count);
}

void LoadLedger::Start(std::int64_t process_ns, std::span<const ThreadTimes> threads) {
  entries_.clear();
  turns_.clear();
  process_ns_ = process_ns;
  known_ns_ = looked_ns_ = busiest_ns_ = 0;
  for (const ThreadTimes& now : threads) entries_[now.thread] = {now, now, 0, {}};
}

void LoadLedger::Look(std::int64_t process_ns, std::span<const ThreadTimes> threads,
                      std::int64_t at_ns) {
  const auto now_ns = static_cast<double>(at_ns);
  for (const ThreadTimes& now : threads) {
    const ThreadTimes birth{now.thread, 0, 0, 0};
    const Entry born{birth, birth, now_ns, {.end_ns = looked_ns_}};
    Entry& entry = entries_.try_emplace(now.thread, born).first->second;
    if (now.run_ns < entry.last.run_ns) {  // the id of a thread that ended was reused
      Retire(entry);
      entry = born;
    }
    Add(entry, now, now_ns);
  }
  AddMissed(LastEnded(now_ns), static_cast<double>(process_ns - process_ns_) - known_ns_, now_ns);
  looked_ns_ = now_ns;
}

void LoadLedger::Add(Entry& entry, const ThreadTimes& now, double at_ns) {
  Turn& turn = entry.turn;
  const auto run_ns = static_cast<double>(now.run_ns - entry.last.run_ns);
  if (now.turns > entry.last.turns) turns_.push_back(std::exchange(turn, {.end_ns = looked_ns_}));
  if (run_ns > 0) turn.end_ns = at_ns;
  turn.wait_ns += static_cast<double>(now.wait_ns - entry.last.wait_ns);
  turn.count += static_cast<double>(now.turns - entry.last.turns);
  turn.run_ns += run_ns;
  known_ns_ += run_ns;
  entry.last = now;
  entry.seen_ns = at_ns;
}

void LoadLedger::Retire(const Entry& entry) {
  turns_.push_back(entry.turn);
  busiest_ns_ = std::max(busiest_ns_, entry.RunNanoseconds());
}

std::vector<LoadLedger::Entry*> LoadLedger::LastEnded(double at_ns) {
  double seen_ns = -1;
  for (const auto& [thread, entry] : entries_) {
    if (entry.seen_ns < at_ns) seen_ns = std::max(seen_ns, entry.seen_ns);
  }
  std::vector<Entry*> ended;
  for (auto at = entries_.begin(); at != entries_.end();) {
    Entry& entry = at->second;
    if (entry.seen_ns == seen_ns) ended.push_back(&entry);
    if (entry.seen_ns < seen_ns) Retire(entry);
    at = entry.seen_ns < seen_ns ? entries_.erase(at) : std::next(at);
  }
  return ended;
}

void LoadLedger::AddMissed(std::vector<Entry*> ended, double missed_ns, double at_ns) {
  std::ranges::sort(ended, {}, [](const Entry* entry) { return entry->turn.end_ns; });
  for (Entry* const entry : ended) {
    const double run_ns = std::min(missed_ns, at_ns - entry->turn.end_ns);
    if (!(run_ns > 0)) break;
    if (entry->turn.run_ns > 0) turns_.push_back(std::exchange(entry->turn, {}));
    entry->turn.run_ns = run_ns;
    entry->turn.end_ns = at_ns;
    entry->last.run_ns += static_cast<std::int64_t>(run_ns);
    known_ns_ += run_ns;
    missed_ns -= run_ns;
  }
  const double longest_ns = std::max(kShortTurnNanoseconds, at_ns - looked_ns_);
  while (missed_ns > 0) {  // of threads that no look has seen
    const double run_ns = std::min(missed_ns, longest_ns);
    turns_.push_back({.run_ns = run_ns, .end_ns = at_ns});
    known_ns_ += run_ns;
    missed_ns -= run_ns;
  }
}

std::vector<LoadLedger::Turn> LoadLedger::AllTurns() const {
  std::vector<Turn> turns = turns_;
  for (const auto& [thread, entry] : entries_) turns.push_back(entry.turn);
  std::erase_if(turns, [](const Turn& turn) { return turn.run_ns + turn.wait_ns <= 0; });
  return turns;
}

Load LoadLedger::Finish(double wall_seconds) const {
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
  double run_ns = 0, span_ns = 0, busiest_ns = busiest_ns_;
  for (const Turn& turn : turns) {
    run_ns += turn.run_ns;
    span_ns += turn.run_ns / std::max(1.0, runnable.Mean(turn.Begin(), turn.end_ns));
  }
  for (const auto& [thread, entry] : entries_) {
    busiest_ns = std::max(busiest_ns, entry.RunNanoseconds());
  }
  const double wall_ns = wall_seconds * 1e9;
  span_ns = run_ns > 0 ? span_ns + std::max(0.0, wall_ns * kCertainlyKnown - active_ns) : wall_ns;
  return {wall_seconds, run_ns * 1e-9, span_ns * 1e-9, busiest_ns * 1e-9};
}

}  // namespace lab
