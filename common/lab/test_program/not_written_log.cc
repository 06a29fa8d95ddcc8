#include "common/lab/test_program/not_written_log.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace lab {
namespace {

auto Key(const NotWritten& f) {
  return std::tuple<const std::string&, int, const std::string&>(f.file(), f.line(), f.function());
}

bool Before(const NotWritten& a, const NotWritten& b) { return Key(a) < Key(b); }

bool SameFunction(const NotWritten& a, const NotWritten& b) { return Key(a) == Key(b); }

// "A (line 1), B (line 2) and C (line 3)" for functions [first, last) of one file.
std::string Enumerate(std::span<const NotWritten> functions) {
  std::string text;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (i > 0) text += i + 1 == functions.size() ? " and " : ", ";
    text += functions[i].function() + " (line " + std::to_string(functions[i].line()) + ")";
  }
  return text;
}

}  // namespace

NotWrittenLog& NotWrittenLog::Global() {
  static NotWrittenLog log;
  return log;
}

void NotWrittenLog::Add(const NotWritten& function) {
  const std::lock_guard lock(mutex_);
  ++calls_;
  const auto same = [&](const NotWritten& known) { return SameFunction(known, function); };
  if (std::none_of(functions_.begin(), functions_.end(), same)) functions_.push_back(function);
}

std::size_t NotWrittenLog::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::string NotWrittenLog::Describe() const {
  const std::lock_guard lock(mutex_);
  return DescribeNotWritten(functions_);
}

std::string DescribeNotWritten(std::vector<NotWritten> functions) {
  std::sort(functions.begin(), functions.end(), Before);
  functions.erase(std::unique(functions.begin(), functions.end(), SameFunction), functions.end());
  std::string text;
  for (std::size_t first = 0, last = 0; first < functions.size(); first = last) {
    while (last < functions.size() && functions[last].file() == functions[first].file()) ++last;
    const auto of_file = std::span(functions).subspan(first, last - first);
    if (!text.empty()) text += '\n';
    text += of_file[0].file() + ": " + Enumerate(of_file) + (of_file.size() == 1 ? " is" : " are") +
            " not written yet: replace LAB_NOT_WRITTEN() and run the test again";
  }
  return text;
}

}  // namespace lab
