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

#include "common/lab/call/callers.h"
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

inline void ExpectSizes(const Scan& scan, std::size_t largest) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    if (n > largest) break;
    ExpectScan(scan, n, random);
    if (testing::Test::HasFailure()) return;
  }
}

inline void ExpectAllUpToTwoWarps(const Scan& scan) {
  lab::Random random;
  for (std::size_t n = 0; n <= 66 && !testing::Test::HasFailure(); ++n) {
    ExpectScan(scan, n, random);
  }
}

// Equal values, and a single value among zeros, which every later sum must count once.
inline void ExpectUniformAndSingleValues(const Scan& scan, std::size_t n) {
  lab::Random random;
  for (const std::uint32_t value : {0u, 1u, 0x80000000u, 0xffffffffu}) {
    ExpectScan(scan, Numbers(n, value));
  }
  const auto anywhere = random.UniformInt<std::size_t>(0, n - 1);
  for (const std::size_t place : {std::size_t{0}, n / 2, n - 2, n - 1, anywhere}) {
    Numbers values(n, 0);
    values[place] = 0x9e3779b9;
    ExpectScan(scan, values);
  }
}

// What the sums held must not matter.
inline void ExpectOverwritten(const Scan& scan, std::size_t n) {
  lab::Random random;
  for (const std::uint32_t before : {0u, 1u, 0xffffffffu}) {
    SCOPED_TRACE("the sums held " + std::to_string(before));
    const Numbers values = AnyNumbers(random, n);
    ExpectScanned(scan, values, scan.expected(values), before);
  }
}

inline void ExpectIndependentCalls(const Scan& scan, std::size_t largest) {
  lab::Random random;
  for (int call = 0; call < 12; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectScan(scan, random.UniformInt<std::size_t>(0, largest), random);
    if (testing::Test::HasFailure()) return;
  }
}

inline void ExpectServed(const Scan& scan, std::size_t n) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectScan(scan, n, random);
  });
}

inline void ExpectLarge(const Scan& scan) {
  lab::Random random;
  ExpectScan(scan, lab::Scaled(kLargeSize), random);
}

}  // namespace scan_test
