#include "grader/run/checker/race_report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

namespace grader::checker {
namespace {

constexpr std::string_view kSubmission = " /submission/";  // where a frame names the student's file

struct Access {
  std::string what;  // "write", "atomic read"
  std::string line;  // "sum.cc:21"; empty until a frame tells
};

std::string_view TakeLine(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size() + (line.size() < text.size() ? 1 : 0));
  return line;
}

// "write" of "  Write of size 8 at 0x..." and of "  Previous write of size 8 ..."; else empty.
std::string AccessOf(std::string_view line) {
  constexpr std::string_view kPrevious = "Previous ";
  const std::size_t end = line.find(" of size ");
  if (line.substr(0, 2) != "  " || end == line.npos) return "";
  std::string_view name = line.substr(2, end - 2);
  if (name.substr(0, kPrevious.size()) == kPrevious) name.remove_prefix(kPrevious.size());
  std::string what(name);
  if (!what.empty()) what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
  const bool known =
      what == "read" || what == "write" || what == "atomic read" || what == "atomic write";
  return known ? what : "";
}

// "sum.cc:21" of a frame in the student's file; empty for other frames, and where no line is known.
std::string OwnLine(std::string_view frame) {
  const std::size_t path = frame.find(kSubmission);
  if (path == frame.npos) return "";
  const std::string_view place = frame.substr(path + kSubmission.size());
  const std::size_t colon = place.find(':');
  if (colon == place.npos || place.substr(0, colon).find(' ') != place.npos) return "";
  const std::size_t end = place.find_first_not_of("0123456789", colon + 1);
  if (end == colon + 1) return "";
  return std::string(place.substr(0, end));
}

// "M1" of "  Mutex M1 acquired here ..." and of "  Mutex M1 previously acquired ..."; else empty.
std::string MutexOf(std::string_view line) {
  constexpr std::string_view kBegin = "  Mutex ";
  if (line.substr(0, kBegin.size()) != kBegin) return "";
  line.remove_prefix(kBegin.size());
  const std::string_view rest = line.substr(std::min(line.find(' '), line.size()));
  const bool known = rest.starts_with(" acquired here while holding mutex ") ||
                     rest.starts_with(" previously acquired by the same thread here");
  return known ? std::string(line.substr(0, line.size() - rest.size())) : "";
}

struct LockedMutex {
  std::string name;  // "M1"
  std::string line;  // as Access::line
};

// In the report's order: a mutex, then the one that its thread held already, and so on.
std::vector<LockedMutex> LockedMutexes(std::string_view report) {
  std::vector<LockedMutex> locked;
  bool in_stack = false;
  while (!report.empty()) {
    const std::string_view line = TakeLine(report);
    if (line.starts_with("SUMMARY: ")) break;
    if (std::string name = MutexOf(line); !name.empty()) {
      locked.push_back({std::move(name), ""});
      in_stack = true;
    } else if (line.empty()) {
      in_stack = false;
    } else if (in_stack && locked.back().line.empty()) {
      locked.back().line = OwnLine(line);
    }
  }
  return locked;
}

}  // namespace

std::string DescribeRace(std::string_view report) {
  const std::size_t begin = report.find("WARNING: ThreadSanitizer: data race");
  if (begin == report.npos) return "";
  report.remove_prefix(begin);
  TakeLine(report);
  std::array<Access, 2> accesses;
  std::size_t seen = 0;
  bool in_access = false;
  while (!report.empty()) {
    const std::string_view line = TakeLine(report);
    if (line.substr(0, 9) == "SUMMARY: ") break;
    if (line.empty()) {
      in_access = false;
    } else if (std::string what = AccessOf(line); !what.empty() && seen < accesses.size()) {
      accesses[seen++].what = std::move(what);
      in_access = true;
    } else if (in_access && accesses[seen - 1].line.empty()) {
      accesses[seen - 1].line = OwnLine(line);
    }
  }
  if (accesses[0].line.empty() || accesses[1].line.empty()) return "";
  return "data race: the " + accesses[0].what + " at " + accesses[0].line + " races with the " +
         accesses[1].what + " of another thread at " + accesses[1].line;
}

std::string DescribeLockOrders(std::string_view report) {
  const std::size_t begin = report.find("WARNING: ThreadSanitizer: lock-order-inversion");
  if (begin == report.npos) return "";
  const std::vector<LockedMutex> locked = LockedMutexes(report.substr(begin));
  if (locked.size() < 4 || locked.size() % 2 != 0) return "";
  std::string text = "deadlock: ";
  for (std::size_t i = 0; i < locked.size(); i += 2) {
    const LockedMutex& second = locked[i];
    const LockedMutex& first = locked[i + 1];
    if (first.line.empty() || second.line.empty()) return "";
    text += (i == 0 ? "locks " : ", elsewhere ") + first.name + " at " + first.line + " and then " +
            second.name + " at " + second.line;
  }
  return text + (locked.size() == 4 ? ": two" : ": as many") +
         " threads can wait for each other forever";
}

}  // namespace grader::checker
