#pragma once

#include <stdexcept>

namespace grader {

// The jail itself failed: the judge's fault, never the program's. what() is one line with the
// problem and a second line "  next: ..." with the remedy.
class JailError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace grader
