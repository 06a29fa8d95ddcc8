#pragma once

// What the tests of the parts share: sizes, values, right answers, and calls with a workspace that
// holds anything.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_scan/scan.h"

namespace scan_test {

using Numbers = std::vector<std::uint32_t>;

// More tiles of 1,024 than a block has threads.
inline constexpr std::size_t kLargeSize = 1'200'000;

// Sizes at which vectors of four, warps, blocks and tiles begin and end.
inline std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes{4095, 4096, 4097, 8193};
  for (const std::size_t width : {4, 32, 256, 1024, 2048}) {
    for (const std::size_t n : lab::EdgeSizes(width)) sizes.insert(n);
  }
  return sizes;
}

// Any numbers of 32 bits: their sums wrap around soon. A right sum equals poison only by chance.
inline Numbers AnyNumbers(lab::Random& random, std::size_t n) {
  Numbers values(n);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.Next());
  return values;
}

inline Numbers InclusiveSums(const Numbers& values) {
  Numbers sums(values.size());
  std::partial_sum(values.begin(), values.end(), sums.begin());
  return sums;
}

inline Numbers ExclusiveSums(const Numbers& values) {
  Numbers sums(values.size());
  std::exclusive_scan(values.begin(), values.end(), sums.begin(), std::uint32_t{0});
  return sums;
}

// What a workspace may hold when a call begins.
inline std::vector<std::uint64_t> AnyWorkspace(std::size_t n, std::uint64_t content) {
  return std::vector<std::uint64_t>(WorkspaceSize(n), content);
}

// A function that scans, and its expected result.
struct Scan {
  std::function<void(const Numbers& values, Numbers& sums)> scan;
  std::function<Numbers(const Numbers& values)> expected;
};

// `before` is what each sum held.
inline void ExpectScanned(const Scan& scan, const Numbers& values, const Numbers& want,
                          std::uint32_t before = lab::PoisonValue<std::uint32_t>()) {
  SCOPED_TRACE("with n = " + std::to_string(values.size()));
  Numbers sums(values.size(), before);
  scan.scan(values, sums);
  lab::ExpectAllEqual(sums, want);
}

inline void ExpectScan(const Scan& scan, const Numbers& values) {
  ExpectScanned(scan, values, scan.expected(values));
}

inline void ExpectScan(const Scan& scan, std::size_t n, lab::Random& random) {
  ExpectScan(scan, AnyNumbers(random, n));
}

}  // namespace scan_test
