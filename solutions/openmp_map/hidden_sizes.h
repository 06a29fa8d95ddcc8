#pragma once

// What the hidden tests of the lab "Map with OpenMP" share: sizes at which maps go wrong, in teams
// of one to eight threads.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"

using Floats = std::vector<float>;
using Counts = std::vector<std::uint16_t>;

inline constexpr int kMaxThreads = 8;
inline constexpr std::size_t kFloatsPerCacheLine = 64 / sizeof(float);
inline constexpr std::size_t kFloatsPerPage = 4096 / sizeof(float);
// A call of a few milliseconds may be over before the kernel has spread its threads over the cores,
// so the inputs that tell how parallel code is are larger.
inline std::size_t Timed(std::size_t n, std::size_t times_for_teams) {
  return lab::Scaled(lab::CurrentTeamSize() == 0 ? n : n * times_for_teams);
}

inline constexpr std::size_t kLargeSize = 1 << 21;  // as floats 8 MB

// Sizes at which shares of one to eight threads, cache lines and pages begin and end.
inline std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes{kFloatsPerPage - 1, kFloatsPerPage, kFloatsPerPage + 1};
  for (std::size_t n = 0; n <= 2 * kMaxThreads + 1; ++n) sizes.insert(n);
  for (const std::size_t n : lab::EdgeSizes(kFloatsPerCacheLine)) sizes.insert(n);
  return sizes;
}

inline std::string Case(std::size_t n) { return "with n = " + std::to_string(n); }

// Calls `check(size)` for every size with teams of one to eight; stops at the first fatal failure.
inline void ForEachTeamAndSize(const std::function<void(std::size_t)>& check) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    for (const std::size_t n : Sizes()) {
      ASSERT_NO_FATAL_FAILURE(check(n)) << "with a team of " << threads;
    }
  }
}
