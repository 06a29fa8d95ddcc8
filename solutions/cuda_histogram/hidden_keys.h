#pragma once

// Keys, and what is expected of them.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/lab/testing/function.h"
#include "solutions/cuda_histogram/hidden_inputs.h"

namespace histogram_test {

inline const lab::Function<decltype(CountKeys)> count_keys{"CountKeys"};

// n keys for `size` bins and, for size >= 8, a few that have no bin.
inline Counts KeysOf(lab::Random& random, std::size_t n, unsigned size) {
  Counts keys(n);
  for (unsigned& key : keys) key = random.UniformInt<unsigned>(0, size - 1 + size / 8);
  return keys;
}

// The same without keys that have no bin, made two at a time. size < 2^16.
inline Counts FastKeys(lab::Random& random, std::size_t n, unsigned size) {
  Counts keys(n);
  for (std::size_t i = 0; i < n;) {
    std::uint64_t bits = random.Next();
    for (int part = 0; part < 4 && i < n; ++part, bits >>= 16) {
      keys[i++] = static_cast<unsigned>((bits & 0xffff) * size >> 16);
    }
  }
  return keys;
}

// 15 of 16 are in one bin, which is not the first one where there are more.
inline Counts SkewedKeys(lab::Random& random, std::size_t n, unsigned size) {
  Counts keys = KeysOf(random, n, size);
  for (unsigned& key : keys) {
    if (random.UniformInt(0, 15) > 0) key = size / 3;
  }
  return keys;
}

// The bins hold `bins` before.
template <typename CountFunction>
void ExpectCounts(const CountFunction& count, const Counts& keys, Counts bins) {
  Counts want(bins.size());
  for (const unsigned key : keys) {
    if (key < want.size()) ++want[key];
  }
  SCOPED_TRACE("with n = " + std::to_string(keys.size()) + " and " + std::to_string(bins.size()) +
               " bins");
  count(keys, bins);
  lab::ExpectAllEqual(bins, want);
}

}  // namespace histogram_test
