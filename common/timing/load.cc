#include "common/timing/load.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

constexpr double kShortTurnNanoseconds = 100e3;

double RunNanoseconds(const ThreadTimes& first, const ThreadTimes& last) {
  return static_cast<double>(last.run_ns - first.run_ns);
}

}  // namespace

double LoadLedger::Turn::UsefulWait() const {
  return wait_ns * std::min(1.0, run_ns / kShortTurnNanoseconds) / std::max(1.0, count);
}

void LoadLedger::Entry::Add(const ThreadTimes& now) {
  if (now.turns > last.turns) wait_ns += std::exchange(turn, {}).UsefulWait();
  turn.wait_ns += static_cast<double>(now.wait_ns - last.wait_ns);
  turn.run_ns += RunNanoseconds(last, now);
  turn.count += static_cast<double>(now.turns - last.turns);
  last = now;
}

void LoadLedger::Sum::Add(const Entry& entry) {
  run_ns += RunNanoseconds(entry.first, entry.last);
  wait_ns += entry.wait_ns + entry.turn.UsefulWait();
}

void LoadLedger::Start(std::span<const ThreadTimes> threads, std::int64_t process_ns) {
  entries_.clear();
  replaced_ = {};
  for (const ThreadTimes& now : threads) entries_[now.thread] = {false, now, now, {}};
  process_ns_ = process_ns;
}

void LoadLedger::Look(std::span<const ThreadTimes> threads) {
  for (const ThreadTimes& now : threads) {
    const ThreadTimes birth{now.thread, 0, 0, 0};
    const Entry born{true, birth, birth, {}};
    Entry& entry = entries_.try_emplace(now.thread, born).first->second;
    if (now.run_ns < entry.last.run_ns) {  // the id of a thread that ended was reused
      replaced_.Add(std::exchange(entry, born));
    }
    entry.Add(now);
  }
}

Load LoadLedger::Finish(std::int64_t process_ns, double wall_seconds) const {
  Sum all = replaced_;
  Sum born = replaced_;
  double busiest_ns = 0;
  for (const auto& [thread, entry] : entries_) {
    busiest_ns = std::max(busiest_ns, RunNanoseconds(entry.first, entry.last));
    all.Add(entry);
    if (entry.born_within) born.Add(entry);
  }
  const double exact_ns = std::max(static_cast<double>(process_ns - process_ns_), all.run_ns);
  const Sum& like = born.run_ns > 0 ? born : all;
  const double missed_ns = exact_ns - all.run_ns;
  if (like.run_ns > 0) all.wait_ns += missed_ns * like.wait_ns / like.run_ns;
  return {wall_seconds, exact_ns * 1e-9, all.wait_ns * 1e-9, busiest_ns * 1e-9};
}

}  // namespace lab
