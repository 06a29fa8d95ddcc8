#pragma once

// ThreadSanitizer's reports on a lab's test, which are shown in ten lines instead of eighty, and
// what its pauses have to say on a test that failed (race_checker_pauses.h).

#include <string>

namespace lab {

class RaceLog {
 public:
  // Lets ThreadSanitizer, in programs that this process starts from now on, write its reports to
  // files of the test's folder for temporary files. Does nothing in other tests, and if the
  // environment has LAB_WHOLE_REPORT. LAB_PAUSES names the file for what pauses have to say.
  static RaceLog Redirect();

  // Prints what was reported, and says how to see all of it. Returns whether there was anything.
  bool Print() const;

  // Prints what pauses say on a test that ended so: time_limit, crash or wrong_answer.
  void PrintPauses(const char* end) const;

 private:
  explicit RaceLog(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string prefix_;  // of the files' names; empty: nothing was redirected
};

}  // namespace lab
