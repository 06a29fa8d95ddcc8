#include "common/timing/load.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

constexpr double kShortTurnSeconds = 100e-6;

double Seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

Turn SumOf(const std::vector<Turn>& turns) {
  Turn sum;
  for (const Turn& turn : turns) {
    sum.wait_seconds += turn.wait_seconds;
    sum.run_seconds += turn.run_seconds;
    sum.count += turn.count;
  }
  return sum;
}

}  // namespace

double Load::UsefulWaitSeconds() const {
  double useful = 0;
  for (const Turn& turn : turns) {
    const double length = turn.count > 0 ? turn.run_seconds / turn.count : kShortTurnSeconds;
    useful += turn.wait_seconds * std::min(1.0, length / kShortTurnSeconds);
  }
  return useful;
}

void LoadLedger::Entry::Add(const ThreadTimes& now) {
  if (now.turns > last.turns || turns.empty()) turns.emplace_back();
  Turn& turn = turns.back();
  turn.wait_seconds += Seconds(now.wait_ns - last.wait_ns);
  turn.run_seconds += Seconds(now.run_ns - last.run_ns);
  turn.count += static_cast<double>(now.turns - last.turns);
  last = now;
}

double LoadLedger::Entry::RunSeconds() const { return Seconds(last.run_ns - first.run_ns); }

void LoadLedger::Start(std::span<const ThreadTimes> threads, std::int64_t process_ns) {
  entries_.clear();
  replaced_.clear();
  for (const ThreadTimes& now : threads) entries_[now.thread] = {false, now, now, {}};
  process_ns_ = process_ns;
}

void LoadLedger::Look(std::span<const ThreadTimes> threads) {
  for (const ThreadTimes& now : threads) {
    const ThreadTimes birth{now.thread, 0, 0, 0};
    const Entry born{true, birth, birth, {}};
    Entry& entry = entries_.try_emplace(now.thread, born).first->second;
    if (now.run_ns < entry.last.run_ns) {  // another thread with the number of one that ended
      replaced_.push_back(std::exchange(entry, born));
    }
    entry.Add(now);
  }
}

Load LoadLedger::Finish(std::int64_t process_ns, double wall_seconds) const {
  Load load{wall_seconds, 0, 0, {}};
  std::vector<Turn> born;
  const auto add = [&](const Entry& entry) {
    load.run_seconds += entry.RunSeconds();
    load.busiest_seconds = std::max(load.busiest_seconds, entry.RunSeconds());
    load.turns.insert(load.turns.end(), entry.turns.begin(), entry.turns.end());
    if (entry.born_within) born.insert(born.end(), entry.turns.begin(), entry.turns.end());
  };
  for (const auto& [thread, entry] : entries_) add(entry);
  for (const Entry& entry : replaced_) add(entry);
  const double missed = std::max(Seconds(process_ns - process_ns_) - load.run_seconds, 0.0);
  const Turn of_born = SumOf(born);
  const Turn like = of_born.run_seconds > 0 ? of_born : SumOf(load.turns);
  if (missed > 0 && like.run_seconds > 0) {
    const double times = missed / like.run_seconds;
    load.turns.push_back({like.wait_seconds * times, missed, like.count * times});
  }
  load.run_seconds += missed;
  return load;
}

}  // namespace lab
