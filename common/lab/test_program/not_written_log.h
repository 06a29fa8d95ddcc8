#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "common/lab/not_written.h"

namespace lab {

// The functions that tests called and that are still stubs. lab::Invoke adds to it; a printer reads
// it. Thread-safe.
class NotWrittenLog {
 public:
  // The log of this process.
  static NotWrittenLog& Global();

  // Adds a function; the same function at the same line counts once in Describe.
  void Add(const NotWritten& function);

  // How many calls of stubs there were.
  std::size_t calls() const;

  // One line per file, without a line end; empty if there were none:
  // `labs/x/sum.cc: SumPartial (line 12) and SumQueue (line 20) are not written yet: replace
  // LAB_NOT_WRITTEN() and run the test again`.
  std::string Describe() const;

 private:
  mutable std::mutex mutex_;
  std::vector<NotWritten> functions_;  // each once, in the order of their first calls
  std::size_t calls_ = 0;
};

// The line for these functions; Describe for a harness that keeps its own list. Sorted by file and
// line; each function once.
std::string DescribeNotWritten(std::vector<NotWritten> functions);

}  // namespace lab
