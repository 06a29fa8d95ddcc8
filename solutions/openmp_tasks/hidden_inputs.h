#pragma once

// What the hidden tests of all parts share.
//
// The first test of each suite makes all its calls before it looks at an answer: the first one that
// is wrong would end the suite, and what the race checker sees of it may take several calls.

#include <cstddef>
#include <numeric>
#include <vector>

namespace openmp_tasks {

using Ints = std::vector<int>;

inline constexpr int kMaxThreads = 8;

inline Ints Ascending(std::size_t n) {
  Ints numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace openmp_tasks
