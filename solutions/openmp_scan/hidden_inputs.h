#pragma once

// Inputs of the hidden tests: sizes, teams, numbers.

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/inputs.h"

namespace openmp_scan {

inline constexpr int kMaxThreads = 8;

// Sizes at which tiles of one to eight threads, cache lines and pages begin and end. Inputs and
// outputs have elements of 4 or 8 bytes.
inline std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes{511, 512, 513, 1023, 1024, 1025, 10'007};
  for (int n = 0; n <= 2 * kMaxThreads + 1; ++n) sizes.insert(n);
  for (const std::size_t n : lab::EdgeSizes(64 / sizeof(float))) sizes.insert(n);
  return sizes;
}

// A size of several pages for each thread, and too large for a stack.
inline std::size_t LargeSize() { return lab::Scaled(1 << 21) + 3; }

// Calls `check` for each size of a team that a laptop may have.
inline void ForEachTeam(const std::function<void(const std::string&)>& check) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    ASSERT_NO_FATAL_FAILURE(check("a team of " + std::to_string(threads)));
  }
}

inline std::string Case(const std::string& what, std::size_t n) {
  return what + ", with n = " + std::to_string(n);
}

}  // namespace openmp_scan
