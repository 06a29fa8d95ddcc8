#include "common/cudasim/profile/timeline_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <vector>

#include "common/cudasim/profile/findings.h"

namespace cudasim {
namespace {

constexpr std::size_t kColumns = 84;
constexpr char kIdleMark = '.';
constexpr char kStreamMarks[] = "0123456789abcdefghijklmnopqrstuvwxyz";

// In each column the mark that takes most of its time; idle if marks take less than half of it.
class TimelineRow {
 public:
  explicit TimelineRow(Nanoseconds makespan) : makespan_(makespan) {}

  void Add(const Interval& interval, char mark) {
    const double scale = static_cast<double>(kColumns) / static_cast<double>(makespan_);
    const double begin = static_cast<double>(interval.begin) * scale;
    const double end = static_cast<double>(interval.end) * scale;
    for (auto i = static_cast<std::size_t>(begin); i < kColumns && static_cast<double>(i) < end;
         ++i) {
      const auto column = static_cast<double>(i);
      shares_[i][mark] += std::min(end, column + 1) - std::max(begin, column);
    }
  }

  std::string Text() const {
    std::string text(kColumns, kIdleMark);
    for (std::size_t i = 0; i < kColumns; ++i) {
      double total = 0;
      double largest = 0;
      for (const auto& [mark, share] : shares_[i]) {
        total += share;
        if (share <= largest) continue;
        largest = share;
        text[i] = mark;
      }
      if (total < 0.5) text[i] = kIdleMark;
    }
    return text;
  }

 private:
  Nanoseconds makespan_;
  std::array<std::map<char, double>, kColumns> shares_;
};

// The default stream is 0, the others are numbered in the order of their first operations.
class StreamMarks {
 public:
  char Of(unsigned stream) {
    if (stream == 0) return kStreamMarks[0];
    const std::size_t number = marks_.try_emplace(stream, marks_.size() + 1).first->second;
    return number < std::strlen(kStreamMarks) ? kStreamMarks[number] : '*';
  }

 private:
  std::map<unsigned, std::size_t> marks_;
};

std::string Microseconds(Nanoseconds time) {
  return Rounded(static_cast<double>(time) / 1000, 1) + " us";
}

}  // namespace

const char* NameOf(Engine engine) {
  static constexpr const char* kNames[kEngines] = {"host", "host functions", "host to GPU",
                                                   "kernels", "GPU to host"};
  return kNames[static_cast<std::size_t>(engine)];
}

std::string DrawTimeline(const Trace& trace, const Layout& layout, std::uint64_t page_faults) {
  std::vector<TimelineRow> rows(kEngines, TimelineRow(layout.makespan));
  std::array<bool, kEngines> used{};
  StreamMarks marks;
  for (std::size_t i = 0; i < trace.operations.size(); ++i) {
    const TimedOperation& operation = trace.operations[i];
    if (operation.engine == Engine::kNone) continue;
    const auto engine = static_cast<std::size_t>(operation.engine);
    used[engine] = true;
    rows[engine].Add(layout.operations[i], marks.Of(operation.stream));
  }
  if (!layout.host_work.empty() || page_faults > 0) used[0] = true;
  if (std::count(used.begin(), used.end(), true) < 2) return "";
  for (const Interval& work : layout.host_work) rows[0].Add(work, '#');
  for (const Interval& wait : layout.host_waits) rows[0].Add(wait, '-');
  used[0] = true;
  const double overlap = static_cast<double>(layout.busy) /
                         static_cast<double>(std::max<Nanoseconds>(layout.makespan, 1));
  std::string text = "\noverlap " + Rounded(overlap, 2) + ": operations of " +
                     Microseconds(layout.busy) + " in " + Microseconds(layout.makespan) +
                     ", on a model of a GPU\n  makespan " + WithCommas(layout.makespan) +
                     ", host_waits " + WithCommas(layout.host_waits.size()) + ", page_faults " +
                     WithCommas(page_faults) + "\n";
  for (std::size_t i = 0; i < kEngines; ++i) {
    if (!used[i]) continue;
    std::string name = NameOf(static_cast<Engine>(i));
    name.resize(std::strlen(NameOf(Engine::kHostFunctions)), ' ');
    text += "  " + name + " |" + rows[i].Text() + "|\n";
  }
  return text +
         "  a digit or letter: a stream (0: the default stream); #: the host accesses pinned "
         "or managed\n  memory; -: it waits\n";
}

}  // namespace cudasim
