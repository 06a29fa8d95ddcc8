#pragma once

// The computation of the attacked labs and its inputs. Each element takes enough work that timing
// shows who did it.

#include <cstdint>
#include <cstring>
#include <vector>

#include "common/lab/testing/inputs.h"

namespace attacked {

using Numbers = std::vector<std::uint32_t>;

inline constexpr int kRounds = 64;

// `value` mixed kRounds times by the finaliser of MurmurHash3 (Appleby 2011).
inline std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < kRounds; ++round) {
    value ^= value >> 16;
    value *= 0x85ebca6b;
    value ^= value >> 13;
    value *= 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}

inline Numbers AllMixed(const Numbers& values) {
  Numbers mixed;
  for (const std::uint32_t value : values) mixed.push_back(Mixed(value));
  return mixed;
}

inline Numbers AnyNumbers(lab::Random& random, std::size_t n) {
  Numbers values(n);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.Next() >> 32);
  return values;
}

// The bytes of HIDDEN_TEXT, which no student may ever read.
inline Numbers HiddenText() {
  Numbers values(sizeof(HIDDEN_TEXT) / sizeof(std::uint32_t) + 1);
  memcpy(values.data(), HIDDEN_TEXT, sizeof HIDDEN_TEXT);
  return values;
}

}  // namespace attacked
