#pragma once

// Inputs of the hidden tests and what is expected of them.
//
// Most inputs are whole numbers whose absolute values sum to less than 2^53: then every addition is
// exact in double, in any order, and a lost, doubled or rounded value shows as a difference.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/lab/call/team_size.h"
#include "common/lab/testing/inputs.h"

namespace pthreads_sum {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
inline constexpr std::size_t kFloatsPerCacheLine = 64 / sizeof(float);
inline constexpr std::size_t kFloatsPerPage = 4096 / sizeof(float);
inline constexpr int kMaxThreads = 8;

inline std::vector<float> WholeNumbers(lab::Random& random, std::size_t n) {
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-(1 << 20), 1 << 20));
  return values;
}

// Pairs of 2^40 and -2^40 in random places among small whole numbers: exact in double, while in
// float the small ones vanish beside the large ones. n is up to 2^11, so that all stays below 2^53.
inline std::vector<float> CancellingNumbers(lab::Random& random, std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = static_cast<float>(random.UniformInt(-100, 100));
    if (i % 8 < 2) values[i] = i % 2 == 0 ? 0x1p40f : -0x1p40f;
  }
  random.Shuffle(values);
  return values;
}

struct ExpectedSum {
  double value;
  double tolerance;
};

// The sum, and by how much n - 1 additions in double, in any order, may miss it:
// (n - 1) u sum |x| to first order with u = 2^-53 (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, section 4.2). One n u sum |x| more covers the second order, and this
// function's own rounding in long double.
inline ExpectedSum Expect(std::span<const float> values) {
  long double sum = 0;
  long double absolute = 0;
  for (const float value : values) {
    sum += value;
    absolute += std::abs(value);
  }
  const double n = static_cast<double>(values.size());
  return {static_cast<double>(sum), 2 * n * 0x1p-53 * static_cast<double>(absolute)};
}

// Of whole numbers: exact in any order, so that several sums at a time save time.
inline double ExactSum(std::span<const float> values) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  for (std::size_t i = 0; i < values.size(); ++i) sums[i % kLanes] += values[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

inline std::string Case(std::size_t n, int threads) {
  return "with n = " + std::to_string(n) + ", num_threads = " + std::to_string(threads);
}

inline std::string Case(std::size_t n, int threads, std::size_t chunk) {
  return Case(n, threads) + ", chunk = " + std::to_string(chunk);
}

// As many threads as the run asks for; else as many as the machine has, within reason, and two at
// least, or there is nothing to see.
inline int TimedThreads() {
  if (const int asked = lab::CurrentTeamSize(); asked != 0) return asked;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, kMaxThreads);
}

}  // namespace pthreads_sum
