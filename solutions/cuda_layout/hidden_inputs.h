#pragma once

// What the tests of the parts share: words, items of many kinds, and right answers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_layout/layout.h"

namespace layout_test {

using Words = std::vector<std::uint32_t>;
using Flags = std::vector<std::uint8_t>;

// Any 32 bits each.
inline Words AnyWords(lab::Random& random, std::size_t n) {
  Words words(n);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; ++i, bits >>= 32) {
    if (i % 2 == 0) bits = random.Next();
    words[i] = static_cast<std::uint32_t>(bits);
  }
  return words;
}

// Sizes at which warps and blocks of usual sizes begin and end, ascending.
inline std::vector<std::size_t> Sizes() {
  return {0,   1,   2,   31,  32,  33,  63,   64,   65,   127,  128,  129,
          255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049};
}

// Keys and payloads. Payloads are any words, some of them equal, so that they do not tell where an
// item was.
struct Items {
  Words keys;
  Words payloads;
};

inline Items WithPayloads(lab::Random& random, Words keys) {
  Words payloads = AnyWords(random, keys.size());
  return {std::move(keys), std::move(payloads)};
}

template <typename KeyAt>
Words KeysBy(std::size_t n, const KeyAt& key_at) {
  Words keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(key_at(i));
  return keys;
}

// A kind of input: n keys.
struct Kind {
  const char* name;
  std::function<Words(lab::Random& random, std::size_t n)> keys;
};

inline const Kind kAnyKeys{"any keys", AnyWords};

inline const Kind kFewKeys{"few keys", [](lab::Random& random, std::size_t n) {
                             return random.Vector<std::uint32_t>(n, 0, 5);
                           }};

inline std::vector<Kind> Kinds() {
  using lab::Random;
  using std::size_t;
  return {
      kAnyKeys,
      kFewKeys,
      {"no bit set", [](Random&, size_t n) { return Words(n, 0); }},
      {"all bits set", [](Random&, size_t n) { return Words(n, 0xffffffffu); }},
      {"equal keys", [](Random&, size_t n) { return Words(n, 0x5a3c96e1u); }},
      {"no or all bits",
       [](Random& random, size_t n) {
         Words keys = random.Vector<std::uint32_t>(n, 0, 1);
         for (std::uint32_t& key : keys) key = 0 - key;
         return keys;
       }},
      {"the top bit in turn",
       [](Random&, size_t n) { return KeysBy(n, [](size_t i) { return (i % 2) << 31; }); }},
      {"one bit of each key",
       [](Random&, size_t n) { return KeysBy(n, [](size_t i) { return 1u << (i * 7 % 32); }); }},
      {"all bits but one",
       [](Random&, size_t n) { return KeysBy(n, [](size_t i) { return ~(1u << (i * 5 % 32)); }); }},
      {"sorted keys", [](Random&, size_t n) { return KeysBy(n, [](size_t i) { return i; }); }},
      {"sorted keys over all bits",
       [](Random&, size_t n) {
         return KeysBy(n, [n](size_t i) { return 0xffffffffu / (n + 1) * i; });
       }},
      {"reversed keys",
       [](Random&, size_t n) {
         return KeysBy(n, [n](size_t i) { return 0xffffffffu / (n + 1) * (n - i); });
       }},
      {"digits in the opposite order",
       [](Random&, size_t n) {
         return KeysBy(n, [](size_t i) { return (i % 97) << 24 | (96 - i % 89); });
       }},
      {"runs of 200 equal keys",
       [](Random&, size_t n) {
         return KeysBy(n, [](size_t i) { return 0x9e3779b9u * (i / 200); });
       }},
  };
}

// What a stable sort of the items by part(key) gives.
template <typename Part>
Items SortedBy(const Items& items, const Part& part) {
  std::vector<std::uint32_t> order(items.keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return part(items.keys[a]) < part(items.keys[b]);
  });
  Items sorted;
  for (const std::uint32_t i : order) {
    sorted.keys.push_back(items.keys[i]);
    sorted.payloads.push_back(items.payloads[i]);
  }
  return sorted;
}

inline bool ExpectItems(const Items& got, const Items& want) {
  {
    SCOPED_TRACE("in the keys");
    if (!lab::ExpectAllEqual(got.keys, want.keys)) return false;
  }
  SCOPED_TRACE("in the payloads; the keys are right");
  return lab::ExpectAllEqual(got.payloads, want.payloads);
}

inline constexpr std::uint32_t kPoison = 0xa5a5a5a5;

inline Items PoisonedItems(std::size_t n, std::uint32_t before = kPoison) {
  return {Words(n, before), Words(n, before)};
}

}  // namespace layout_test
