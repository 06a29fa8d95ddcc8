// The hidden test of the lab "Data movement on a GPU": split and radix sort.

#include <gtest/gtest.h>

#include <memory>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_layout/hidden_inputs.h"

namespace layout_test::sort_test {

const lab::Function<decltype(SplitByBit)> split_by_bit{"SplitByBit"};
const lab::Function<decltype(RadixSort)> radix_sort{"RadixSort"};

template <typename F>
void ExpectSplitBy(const F& function, const Items& items, int bit, std::uint32_t before = kPoison) {
  const std::size_t n = items.keys.size();
  Items split = PoisonedItems(n, before);
  Words workspace(WorkspaceSize(n), before);
  function(items.keys, items.payloads, bit, split.keys, split.payloads, workspace);
  SCOPED_TRACE("with n = " + std::to_string(n) + " and bit " + std::to_string(bit));
  ExpectItems(split, SortedBy(items, [bit](std::uint32_t key) { return key >> bit & 1; }));
}

void ExpectSplit(const Items& items, int bit, std::uint32_t before = kPoison) {
  ExpectSplitBy(split_by_bit, items, bit, before);
}

// Both splits and sorts keep nothing, so their tests go through the same kinds and sizes.
Items SomeItems(lab::Random& random, const Kind& kind, std::size_t n) {
  return WithPayloads(random, kind.keys(random, n));
}

TEST(SplitByBitTest, SplitsAThousandItems) {
  lab::Random random;
  ExpectSplit(SomeItems(random, kFewKeys, 1000), 1);
}

TEST(SplitByBitTest, SplitsByEveryBit) {
  lab::Random random;
  const Items items = SomeItems(random, kAnyKeys, 1000);
  for (int bit = 0; bit < 32 && !HasFailure(); ++bit) ExpectSplit(items, bit);
}

TEST(SplitByBitTest, SplitsAnyNumberOfItems) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ExpectSplit(SomeItems(random, kAnyKeys, n), static_cast<int>(n % 32));
    if (HasFailure()) return;
  }
}

TEST(SplitByBitTest, SplitsItemsOfEveryKind) {
  lab::Random random;
  for (const Kind& kind : Kinds()) {
    SCOPED_TRACE(kind.name);
    for (const int bit : {0, 17, 31}) ExpectSplit(SomeItems(random, kind, 1100), bit);
    if (HasFailure()) return;
  }
}

TEST(SplitByBitTest, MakesNothingOfWhatResultAndWorkspaceHold) {
  lab::Random random;
  for (const std::uint32_t content : {0u, 1u, 0xffffffffu}) {
    ExpectSplit(SomeItems(random, kFewKeys, 1500), 0, content);
  }
}

TEST(SplitByBitTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    const auto n = random.UniformInt<std::size_t>(0, 5000);
    ExpectSplit(SomeItems(random, kFewKeys, n), call % 4);
  }
}

TEST(SplitByBitTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Items items = SomeItems(random, kAnyKeys, 1500);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSplit(items, 5);
  });
}

TEST(SplitByBitTest, SplitsManyItems) {
  lab::Random random;
  ExpectSplit(SomeItems(random, kAnyKeys, lab::Scaled(200'000) + 7), 13);
}

TEST(SplitByBitTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  ExpectSplitBy(lab::WithFailingCalls(split_by_bit), SomeItems(random, kFewKeys, 1500), 1);
}

template <typename F>
void ExpectSortedBy(const F& function, const Items& items, const Items& want,
                    std::uint32_t before = kPoison) {
  const std::size_t n = items.keys.size();
  Items sorted = PoisonedItems(n, before);
  Words workspace(WorkspaceSize(n), before);
  function(items.keys, items.payloads, sorted.keys, sorted.payloads, workspace);
  SCOPED_TRACE("with n = " + std::to_string(n));
  ExpectItems(sorted, want);
}

Items Sorted(const Items& items) {
  return SortedBy(items, [](std::uint32_t key) { return key; });
}

void ExpectSorted(const Items& items, std::uint32_t before = kPoison) {
  ExpectSortedBy(radix_sort, items, Sorted(items), before);
}

TEST(RadixSortTest, SortsAThousandItems) {
  lab::Random random;
  ExpectSorted(SomeItems(random, kAnyKeys, 1000));
}

TEST(RadixSortTest, KeepsTheOrderOfEqualKeys) {
  lab::Random random;
  ExpectSorted(SomeItems(random, kFewKeys, 1500));
}

TEST(RadixSortTest, SortsAnyNumberOfItems) {
  lab::Random random;
  for (const std::size_t n : {0, 1, 2, 33, 257, 1024, 1025}) {
    ExpectSorted(SomeItems(random, n % 2 == 0 ? kAnyKeys : kFewKeys, n));
    if (HasFailure()) return;
  }
}

TEST(RadixSortTest, SortsItemsOfEveryKind) {
  lab::Random random;
  for (const Kind& kind : Kinds()) {
    SCOPED_TRACE(kind.name);
    ExpectSorted(SomeItems(random, kind, 300));
    if (HasFailure()) return;
  }
}

TEST(RadixSortTest, MakesNothingOfWhatResultAndWorkspaceHold) {
  lab::Random random;
  for (const std::uint32_t content : {0u, 1u, 0xffffffffu}) {
    ExpectSorted(SomeItems(random, kFewKeys, 1100), content);
  }
}

TEST(RadixSortTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 4 && !HasFailure(); ++call) {
    ExpectSorted(SomeItems(random, kAnyKeys, random.UniformInt<std::size_t>(0, 1500)));
  }
}

// A sort has many launches: a few rounds are enough for calls to overlap.
TEST(RadixSortTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Items items = SomeItems(random, kAnyKeys, 700);
  const Items want = Sorted(items);
  const lab::Callers callers(3);
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE("3 callers, round " + std::to_string(round));
    ExpectSortedBy(radix_sort, items, want);
  }
}

TEST(RadixSortTest, SortsManyItems) {
  lab::Random random;
  ExpectSorted(SomeItems(random, kAnyKeys, lab::Scaled(40'000) + 7));
}

// Few items: a sort by single bits must stay below the number of calls that are made to fail.
TEST(RadixSortTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  const Items items = SomeItems(random, kAnyKeys, 7);
  ExpectSortedBy(lab::WithFailingCalls(radix_sort), items, Sorted(items));
}

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
TEST(SplitByBitCounted, SplitsSixtyFiveThousandItems) {
  lab::Random random;
  ExpectSplit(SomeItems(random, kAnyKeys, (1 << 16) + 5), 3);
}

TEST(RadixSortCounted, SortsThirtyThousandItems) {
  lab::Random random;
  ExpectSorted(SomeItems(random, kAnyKeys, (1 << 15) + 5));
}

TEST(RadixSortTiming, SortsFourThousandItems) {
  const std::size_t n = lab::TimedSize(1 << 12, 1 << 23);
  const lab::Work work{16.0 * static_cast<double>(n), 1.0 * static_cast<double>(n)};
  lab::RunTimedPairs(work, [n](lab::Random& random) -> std::function<void()> {
    const auto items = std::make_shared<Items>(SomeItems(random, kAnyKeys, n));
    const auto want = std::make_shared<Items>(Sorted(*items));
    return [items, want] { ExpectSortedBy(radix_sort, *items, *want); };
  });
}

}  // namespace layout_test::sort_test
