// The public test: a few simple cases for each part. The grader tests more; merge.h says what.
// One case of each part has the size on which the grader counts; README.md has their names.

#include "labs/cuda_merge/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Items = std::vector<std::int32_t>;
using Places = std::vector<std::uint64_t>;

const lab::Function<decltype(CoRanks)> co_ranks{"CoRanks"};
const lab::Function<decltype(MergeRanges)> merge_ranges{"MergeRanges"};
const lab::Function<decltype(MergeTiles)> merge_tiles{"MergeTiles"};
const lab::Function<decltype(MergeRing)> merge_ring{"MergeRing"};

std::int32_t KeyOf(std::int32_t item) { return item >> kTagBits; }

bool HasSmallerKey(std::int32_t x, std::int32_t y) { return KeyOf(x) < KeyOf(y); }

std::int32_t Item(std::int32_t key, std::int32_t tag) { return key * 256 + tag; }

// n items with keys from 0 to `largest`, and any tags.
Items SortedItems(lab::Random& random, std::size_t n, std::int32_t largest) {
  Items items = random.Ints(n, 0, Item(largest, 255));
  std::stable_sort(items.begin(), items.end(), HasSmallerKey);
  return items;
}

// Many items have equal keys.
struct Problem {
  Problem(std::size_t m, std::size_t n) {
    lab::Random random;
    a = SortedItems(random, m, static_cast<std::int32_t>((m + n) / 4));
    b = SortedItems(random, n, static_cast<std::int32_t>((m + n) / 4));
  }
  Items a;
  Items b;
};

// Explains the first different item if its key is right but its tag is not.
std::string Hint(const Items& got, const Items& want) {
  const auto at = std::mismatch(got.begin(), got.end(), want.begin()).first - got.begin();
  const auto i = static_cast<std::size_t>(at);
  if (i == got.size() || KeyOf(got[i]) != KeyOf(want[i])) return "";
  return ", where the key is right and the tag is not: another item with the same key";
}

// Calls merge(a, b, merged), where `merged` was never written.
template <typename Merge>
void ExpectMerged(const Items& a, const Items& b, const Merge& merge) {
  Items want(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin(), HasSmallerKey);
  Items merged = lab::Poisoned<std::int32_t>(want.size());
  merge(a, b, merged);
  EXPECT_TRUE(lab::ExpectAllEqual(merged, want))
      << "with m = " << a.size() << " and n = " << b.size() << Hint(merged, want);
}

template <typename Merge>
void ExpectMerged(const Problem& problem, const Merge& merge) {
  ExpectMerged(problem.a, problem.b, merge);
}

const auto kRing = [](const Items& a, const Items& b, Items& merged) {
  Places workspace = lab::Poisoned<std::uint64_t>(WorkspaceSize(merged.size()));
  merge_ring(a, b, merged, workspace);
};

// Three items of each side with the keys 1, 2, 2 and 2, 2, 3.
const Items kFew{Item(1, 7), Item(2, 9), Item(2, 1)};
const Items kOthers{Item(2, 5), Item(2, 4), Item(3, 8)};

void ExpectRanks(const Items& a, const Items& b, const Places& ks, const Places& want) {
  Places ranks = lab::Poisoned<std::uint64_t>(ks.size());
  co_ranks(a, b, ks, ranks);
  EXPECT_TRUE(lab::ExpectAllEqual(ranks, want))
      << "with m = " << a.size() << " and n = " << b.size();
}

// The co-ranks of every place up to m + n, one by one.
Places AllRanks(const Items& a, const Items& b) {
  Places ranks{0};
  std::size_t i = 0;
  while (ranks.size() <= a.size() + b.size()) {
    const std::size_t j = ranks.size() - 1 - i;
    if (j == b.size() || (i < a.size() && KeyOf(a[i]) <= KeyOf(b[j]))) ++i;
    ranks.push_back(i);
  }
  return ranks;
}

TEST(CoRanksTest, FindsEveryCoRankOfSixItems) {
  ExpectRanks(kFew, kOthers, {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 3, 3, 3});
}

TEST(CoRanksTest, FindsCoRanksIfOneArrayIsEmpty) {
  ExpectRanks(kFew, {}, {3, 0, 2}, {3, 0, 2});
  ExpectRanks({}, kOthers, {3, 0, 2}, {0, 0, 0});
}

TEST(CoRanksTest, FindsFourThousandCoRanks) {
  const Problem problem(1 << 16, (1 << 16) + 5);
  const Places all = AllRanks(problem.a, problem.b);
  Places ks;
  Places want;
  for (std::size_t k = 0; ks.size() < 4096; k += 32) ks.push_back(k), want.push_back(all[k]);
  ExpectRanks(problem.a, problem.b, ks, want);
}

TEST(CoRanksTest, ThrowsWhenARuntimeCallFails) {
  Places ranks(2);
  lab::WithFailingCalls(co_ranks)(kFew, kOthers, Places{0, 6}, ranks);
  EXPECT_EQ(ranks, (Places{0, 3}));
}

TEST(MergeRangesTest, MergesSixItems) { ExpectMerged(kFew, kOthers, merge_ranges); }

TEST(MergeRangesTest, MergesAnEmptyArrayWithAnother) {
  ExpectMerged({}, kOthers, merge_ranges);
  ExpectMerged(kFew, {}, merge_ranges);
  ExpectMerged({}, {}, merge_ranges);
}

TEST(MergeRangesTest, MergesAQuarterOfAMillionItems) {
  ExpectMerged(Problem(1 << 17, (1 << 17) + 5), merge_ranges);
}

TEST(MergeRangesTest, ThrowsWhenARuntimeCallFails) {
  ExpectMerged(kFew, kOthers, lab::WithFailingCalls(merge_ranges));
}

TEST(MergeTilesTest, MergesSixItems) { ExpectMerged(kFew, kOthers, merge_tiles); }

TEST(MergeTilesTest, MergesAnEmptyArrayWithAnother) {
  ExpectMerged({}, kOthers, merge_tiles);
  ExpectMerged(kFew, {}, merge_tiles);
  ExpectMerged({}, {}, merge_tiles);
}

TEST(MergeTilesTest, MergesTenThousandItems) { ExpectMerged(Problem(3000, 7000), merge_tiles); }

TEST(MergeTilesTest, MergesAQuarterOfAMillionItems) {
  ExpectMerged(Problem(1 << 17, (1 << 17) + 5), merge_tiles);
}

TEST(MergeTilesTest, ThrowsWhenARuntimeCallFails) {
  ExpectMerged(kFew, kOthers, lab::WithFailingCalls(merge_tiles));
}

TEST(MergeRingTest, MergesSixItems) { ExpectMerged(kFew, kOthers, kRing); }

TEST(MergeRingTest, MergesAnEmptyArrayWithAnother) {
  ExpectMerged({}, kOthers, kRing);
  ExpectMerged(kFew, {}, kRing);
  ExpectMerged({}, {}, kRing);
}

TEST(MergeRingTest, MergesTenThousandItems) { ExpectMerged(Problem(3000, 7000), kRing); }

TEST(MergeRingTest, MergesAQuarterOfAMillionItems) {
  ExpectMerged(Problem(1 << 17, (1 << 17) + 5), kRing);
}

TEST(MergeRingTest, ThrowsWhenARuntimeCallFails) {
  ExpectMerged(kFew, kOthers, lab::WithFailingCalls(kRing));
}

}  // namespace
