#pragma once

#include <cstddef>

namespace grader::checker {

// A call wrote just outside of one of its in-out spans.
struct Damage {
  std::size_t argument;  // its index
  bool before;           // true: before the first element; false: behind the last one
};

}  // namespace grader::checker
