#include "common/timing/load.h"

#include <algorithm>

namespace lab {
namespace {

constexpr double kShareOfBusiest = 0.25;  // of its run time, for all of a thread's wait to count

}  // namespace

double LoadLedger::Entry::RunNanoseconds() const {
  return static_cast<double>(last.run_ns - first.run_ns);
}

void LoadLedger::Sum::Add(const Entry& entry, double credit) {
  run_ns += entry.RunNanoseconds();
  wait_ns += credit * static_cast<double>(entry.last.wait_ns - entry.first.wait_ns);
}

void LoadLedger::Start(std::span<const ThreadTimes> threads, std::int64_t process_ns) {
  entries_.clear();
  replaced_ = {};
  for (const ThreadTimes& now : threads) entries_[now.thread] = {false, now, now};
  process_ns_ = process_ns;
}

void LoadLedger::Look(std::span<const ThreadTimes> threads) {
  for (const ThreadTimes& now : threads) {
    const Entry born{true, {now.thread, 0, 0}, now};
    const auto [place, is_new] = entries_.try_emplace(now.thread, born);
    if (is_new) continue;
    Entry& entry = place->second;
    if (now.run_ns < entry.last.run_ns) {  // another thread with the number of one that ended
      replaced_.Add(entry, 1);
      entry = born;
    }
    entry.last = now;
  }
}

Load LoadLedger::Finish(std::int64_t process_ns, double wall_seconds) const {
  Sum all = replaced_;
  Sum born = replaced_;
  double busiest_ns = 0;
  for (const auto& [thread, entry] : entries_) {
    busiest_ns = std::max(busiest_ns, entry.RunNanoseconds());
  }
  const double needed_ns = kShareOfBusiest * busiest_ns;
  for (const auto& [thread, entry] : entries_) {
    const double credit = needed_ns > 0 ? std::min(1.0, entry.RunNanoseconds() / needed_ns) : 1;
    all.Add(entry, credit);
    if (entry.born_within) born.Add(entry, credit);
  }
  const double exact_ns = std::max(static_cast<double>(process_ns - process_ns_), all.run_ns);
  const Sum& like = born.run_ns > 0 ? born : all;
  const double missed_ns = exact_ns - all.run_ns;
  if (like.run_ns > 0) all.wait_ns += missed_ns * like.wait_ns / like.run_ns;
  return {wall_seconds, exact_ns * 1e-9, all.wait_ns * 1e-9, busiest_ns * 1e-9};
}

}  // namespace lab
