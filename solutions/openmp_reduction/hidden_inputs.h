#pragma once

// What the hidden tests of all parts share.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/inputs.h"

namespace openmp_reduction {

using Floats = std::vector<float>;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
inline constexpr int kMaxThreads = 8;
inline constexpr std::size_t kLargeSize = 1 << 19;

// Sizes at which shares of one to eight threads, cache lines and pages begin and end.
inline std::set<std::size_t> Sizes(std::size_t element_bytes) {
  const std::size_t per_page = 4096 / element_bytes;
  std::set<std::size_t> sizes{per_page - 1, per_page, per_page + 1};
  for (int n = 0; n <= 2 * kMaxThreads + 1; ++n) sizes.insert(n);
  for (const std::size_t n : lab::EdgeSizes(64 / element_bytes)) sizes.insert(n);
  return sizes;
}

// Calls `check` for each size of a team that a laptop may have.
inline void ForEachTeam(const std::function<void(const std::string&)>& check) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    ASSERT_NO_FATAL_FAILURE(check("a team of " + std::to_string(threads)));
  }
}

inline std::string Case(std::size_t n) { return "with n = " + std::to_string(n); }

// A call of a few milliseconds may be over before the kernel has spread its threads over the cores,
// so the inputs that tell how parallel code is are larger.
inline std::size_t Timed(std::size_t n, std::size_t times_for_teams) {
  return lab::Scaled(lab::CurrentTeamSize() == 0 ? n : n * times_for_teams);
}

}  // namespace openmp_reduction
