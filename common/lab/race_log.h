#pragma once

// ThreadSanitizer's reports on a lab's test, which are shown in ten lines instead of eighty.

#include <string>

namespace lab {

class RaceLog {
 public:
  // Lets ThreadSanitizer, in programs that this process starts from now on, write its reports to
  // files of the test's folder for temporary files. Does nothing in other tests, and if the
  // environment has LAB_WHOLE_REPORT.
  static RaceLog Redirect();

  // Prints what was reported, and says how to see all of it. Returns whether there was anything.
  bool Print() const;

 private:
  explicit RaceLog(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string prefix_;  // of the files' names; empty: nothing was redirected
};

}  // namespace lab
