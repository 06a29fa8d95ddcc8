#pragma once

// A page with pictures of what went wrong in a lab's test, beside Bazel's log of it: see
// common/lab/failure_pictures/failure_page.py.

#include <string>

namespace lab {

class FailurePage {
 public:
  // Lets the programs that this process starts from now on leave what the page needs in the test's
  // folder for temporary files, and removes the page of an earlier run. Does nothing outside of
  // `bazel test`.
  static FailurePage Prepare();

  // Writes the page of a test that failed and prints its path; nothing where there is nothing to
  // draw. `end`: time_limit, crash or wrong_answer.
  void Write(const std::string& end) const;

 private:
  FailurePage(std::string folder, std::string page)
      : folder_(std::move(folder)), page_(std::move(page)) {}

  std::string folder_, page_;  // empty: no page
};

}  // namespace lab
