#pragma once

// What the tests of the parts share: sizes, sorted items of many kinds, and right answers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_merge/merge.h"

namespace merge_test {

inline const lab::Function<decltype(CoRanks)> co_ranks{"CoRanks"};
inline const lab::Function<decltype(MergeRanges)> merge_ranges{"MergeRanges"};
inline const lab::Function<decltype(MergeTiles)> merge_tiles{"MergeTiles"};
inline const lab::Function<decltype(MergeRing)> merge_ring{"MergeRing"};

using Items = std::vector<std::int32_t>;
using Places = std::vector<std::uint64_t>;

inline constexpr std::int32_t kSmallestKey = -(1 << 23);
inline constexpr std::int32_t kLargestKey = (1 << 23) - 1;

inline std::int32_t KeyOf(std::int32_t item) { return item >> kTagBits; }

inline bool HasSmallerKey(std::int32_t x, std::int32_t y) { return KeyOf(x) < KeyOf(y); }

struct Sides {
  Items a;
  Items b;
};

// Items with these keys and random tags, so that sorting or comparing whole items gives wrong
// results.
inline Items WithTags(lab::Random& random, const Items& keys) {
  Items items(keys.size());
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < items.size(); ++i, bits >>= 8) {
    if (i % 8 == 0) bits = random.Next();
    items[i] = keys[i] * 256 + static_cast<std::int32_t>(bits & 255);
  }
  return items;
}

inline Items SortedKeys(lab::Random& random, std::size_t n, std::int32_t low, std::int32_t high) {
  Items keys = random.Ints(n, low, high);
  std::sort(keys.begin(), keys.end());
  return keys;
}

template <typename KeyAt>
Items KeysBy(std::size_t n, const KeyAt& key_at) {
  Items keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<std::int32_t>(key_at(i));
  return keys;
}

// A kind of input: n sorted keys of `a` (side 0) or of `b` (side 1).
struct Kind {
  const char* name;
  std::function<Items(lab::Random& random, std::size_t n, int side)> keys;
};

inline const Kind kFewKeys{"few keys", [](lab::Random& random, std::size_t n, int) {
                             return SortedKeys(random, n, -1, 2);
                           }};

inline const Kind kManyKeys{"as many keys as items", [](lab::Random& random, std::size_t n, int) {
                              return SortedKeys(random, n, -100, static_cast<std::int32_t>(n));
                            }};

inline std::vector<Kind> Kinds() {
  using lab::Random;
  using std::size_t;
  return {
      kFewKeys,
      kManyKeys,
      {"all keys that there are",
       [](Random& random, size_t n, int) {
         return SortedKeys(random, n, kSmallestKey, kLargestKey);
       }},
      {"equal keys", [](Random&, size_t n, int) { return Items(n, -7); }},
      {"the smallest key only", [](Random&, size_t n, int) { return Items(n, kSmallestKey); }},
      {"the largest key only", [](Random&, size_t n, int) { return Items(n, kLargestKey); }},
      {"the smallest and the largest key",
       [](Random&, size_t n, int side) {
         return KeysBy(n,
                       [&](size_t i) { return i < n / (2 + side) ? kSmallestKey : kLargestKey; });
       }},
      {"all of a before b",
       [](Random& random, size_t n, int side) {
         return SortedKeys(random, n, side * 100, side * 100 + 99);
       }},
      {"all of b before a",
       [](Random& random, size_t n, int side) {
         return SortedKeys(random, n, side * -100, side * -100 + 99);
       }},
      {"a ends with the key with which b begins",
       [](Random& random, size_t n, int side) {
         return SortedKeys(random, n, side == 0 ? 0 : 5, side == 0 ? 5 : 9);
       }},
      {"b ends with the key with which a begins",
       [](Random& random, size_t n, int side) {
         return SortedKeys(random, n, side == 1 ? 0 : 5, side == 1 ? 5 : 9);
       }},
      {"items of a and b in turn",
       [](Random&, size_t n, int side) {
         return KeysBy(n, [&](size_t i) { return 2 * i + side; });
       }},
      {"items of b and a in turn",
       [](Random&, size_t n, int side) {
         return KeysBy(n, [&](size_t i) { return 2 * i + 1 - side; });
       }},
      {"equal keys of a and b in turn",
       [](Random&, size_t n, int) { return KeysBy(n, [](size_t i) { return i; }); }},
      {"runs of 700 and 1,300 equal keys",
       [](Random&, size_t n, int side) {
         return KeysBy(n, [&](size_t i) { return i / (side == 0 ? 700 : 1300); });
       }},
      {"1,500 items of a and b in turn",
       [](Random&, size_t n, int side) {
         return KeysBy(n, [&](size_t i) { return 2 * (i / 1500) + side; });
       }},
      {"300 items of a, 1,100 of b",
       [](Random&, size_t n, int side) {
         return KeysBy(n, [&](size_t i) { return i / (side == 0 ? 300 : 1100) * 2 + side; });
       }},
  };
}

inline Sides SidesOf(const Kind& kind, lab::Random& random, std::size_t m, std::size_t n) {
  return {WithTags(random, kind.keys(random, m, 0)), WithTags(random, kind.keys(random, n, 1))};
}

// Sorted items without sorting: about every eighth one has the next key.
inline Items FastItems(lab::Random& random, std::size_t n) {
  Items items(n);
  std::int32_t key = kSmallestKey;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; ++i, bits >>= 16) {
    if (i % 4 == 0) bits = random.Next();
    if ((bits >> 8 & 7) == 0 && key < kLargestKey) ++key;
    items[i] = key * 256 + static_cast<std::int32_t>(bits & 255);
  }
  return items;
}

inline Sides FastSides(lab::Random& random, std::size_t m, std::size_t n) {
  return {FastItems(random, m), FastItems(random, n)};
}

inline Items Expected(const Sides& sides) {
  Items want(sides.a.size() + sides.b.size());
  std::merge(sides.a.begin(), sides.a.end(), sides.b.begin(), sides.b.end(), want.begin(),
             HasSmallerKey);
  return want;
}

// The co-ranks of 0 to m + n, one after the other.
inline Places AllRanks(const Sides& sides) {
  const auto& [a, b] = sides;
  Places ranks{0};
  std::size_t i = 0;
  while (ranks.size() <= a.size() + b.size()) {
    const std::size_t j = ranks.size() - 1 - i;
    if (j == b.size() || (i < a.size() && KeyOf(a[i]) <= KeyOf(b[j]))) ++i;
    ranks.push_back(i);
  }
  return ranks;
}

inline std::string SizesOf(const Sides& sides) {
  return "with m = " + std::to_string(sides.a.size()) +
         " and n = " + std::to_string(sides.b.size());
}

// A hint if the first wrong item has the right key, which the numbers do not show.
inline std::string AboutStability(const Items& got, const Items& want) {
  const auto first = std::mismatch(got.begin(), got.end(), want.begin());
  if (first.first == got.end() || KeyOf(*first.first) != KeyOf(*first.second)) return "";
  return ", where the first wrong item has the right key: it is another one with this key";
}

using Merge = std::function<void(const Items& a, const Items& b, Items& merged)>;

inline void ExpectMerged(const Merge& merge, const Sides& sides, const Items& want,
                         std::int32_t before = lab::PoisonValue<std::int32_t>()) {
  Items merged(want.size(), before);
  merge(sides.a, sides.b, merged);
  SCOPED_TRACE(SizesOf(sides) + AboutStability(merged, want));
  lab::ExpectAllEqual(merged, want);
}

inline void ExpectMerged(const Merge& merge, const Sides& sides) {
  ExpectMerged(merge, sides, Expected(sides));
}

}  // namespace merge_test
