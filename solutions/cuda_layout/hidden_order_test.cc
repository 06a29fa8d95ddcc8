// The hidden test of the lab "Data movement on a GPU": shift, expand and unsplit.

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_layout/hidden_inputs.h"

namespace layout_test {
namespace {

const lab::Function<decltype(Shift)> shift{"Shift"};
const lab::Function<decltype(Expand)> expand{"Expand"};
const lab::Function<decltype(Unsplit)> unsplit{"Unsplit"};

template <typename F>
void ExpectShifted(const F& function, const Words& values, int distance, std::uint32_t fill) {
  SCOPED_TRACE("with n = " + std::to_string(values.size()) + " and a distance of " +
               std::to_string(distance));
  Words want(values.size(), fill);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t target = static_cast<std::int64_t>(i) + distance;
    if (target >= 0 && target < static_cast<std::int64_t>(want.size())) want[target] = values[i];
  }
  Words out(values.size(), kPoison);
  function(values, distance, fill, out);
  lab::ExpectAllEqual(out, want);
}

TEST(ShiftTest, TakesAnyNumberOfValues) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    for (const int distance : {0, 1, -1, 5, -40}) {
      ExpectShifted(shift, AnyWords(random, n), distance, 7);
    }
    if (HasFailure()) return;
  }
}

TEST(ShiftTest, TakesAnyDistance) {
  lab::Random random;
  for (const int distance :
       {31, 32, 33, 255, 256, 998, 999, 1000, 1001, 123456, std::numeric_limits<int>::max()}) {
    ExpectShifted(shift, AnyWords(random, 1000), distance, 0);
    ExpectShifted(shift, AnyWords(random, 1000), -distance, 0xffffffffu);
    if (HasFailure()) return;
  }
  ExpectShifted(shift, AnyWords(random, 1000), std::numeric_limits<int>::min(), 3);
}

TEST(ShiftTest, TakesManyValues) {
  lab::Random random;
  ExpectShifted(shift, AnyWords(random, lab::Scaled(1 << 20) + 3), 1025, 1);
}

TEST(ShiftTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Words values = AnyWords(random, 1500);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectShifted(shift, values, 77, 5);
  });
}

TEST(ShiftTest, ThrowsWhenARuntimeCallFails) {
  ExpectShifted(lab::WithFailingCalls(shift), Words{1, 2, 3}, 1, 0);
}

// What is counted.
TEST(ShiftCounted, TakesManyValues) {
  lab::Random random;
  ExpectShifted(shift, AnyWords(random, 65'541), 100, 0);
}

// The workspace holds `before`.
template <typename F>
void ExpectExpanded(const F& function, const Words& values, const Words& counts,
                    std::uint32_t before = kPoison) {
  SCOPED_TRACE("with n = " + std::to_string(values.size()));
  Words want;
  for (std::size_t i = 0; i < values.size(); ++i) want.insert(want.end(), counts[i], values[i]);
  Words out(want.size(), kPoison);
  Words workspace(WorkspaceSize(values.size()), before);
  function(values, counts, out, workspace);
  lab::ExpectAllEqual(out, want);
}

void ExpectExpandedTo(lab::Random& random, std::size_t n, std::uint32_t most) {
  ExpectExpanded(expand, AnyWords(random, n), random.Vector<std::uint32_t>(n, 0, most));
}

TEST(ExpandTest, TakesAnyNumberOfValues) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ExpectExpandedTo(random, n, 3);
    ExpectExpanded(expand, AnyWords(random, n), Words(n, 1));
    if (HasFailure()) return;
  }
}

TEST(ExpandTest, TakesCountsOfZero) {
  lab::Random random;
  for (const std::size_t one : {0, 31, 1023, 1024, 2999}) {
    Words counts(3000, 0);
    ExpectExpanded(expand, AnyWords(random, 3000), counts);
    counts[one] = 5000;
    ExpectExpanded(expand, AnyWords(random, 3000), counts);
    if (HasFailure()) return;
  }
  ExpectExpandedTo(random, 5000, 1);
}

TEST(ExpandTest, TakesCountsOfAllSizes) {
  lab::Random random;
  Words counts = random.Vector<std::uint32_t>(2500, 0, 2);
  for (const std::size_t i : {3, 1030, 2100}) counts[i] = 3000;
  ExpectExpanded(expand, AnyWords(random, 2500), counts);
}

TEST(ExpandTest, MakesNothingOfWhatTheWorkspaceHolds) {
  lab::Random random;
  for (const std::size_t n : {1023, 1024, 2048, 3000}) {
    const Words counts = random.Vector<std::uint32_t>(n, 0, 3);
    for (const std::uint32_t before : {0u, 1u}) {
      ExpectExpanded(expand, AnyWords(random, n), counts, before);
    }
  }
}

TEST(ExpandTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    ExpectExpandedTo(random, random.UniformInt<std::size_t>(0, 5000), 4);
  }
}

TEST(ExpandTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Words values = AnyWords(random, 1500);
  const Words counts = random.Vector<std::uint32_t>(1500, 0, 5);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectExpanded(expand, values, counts);
  });
}

TEST(ExpandTest, ThrowsWhenARuntimeCallFails) {
  ExpectExpanded(lab::WithFailingCalls(expand), Words{1, 2, 3}, Words{2, 0, 4});
}

// 8,197 values, one of which has half of the results.
TEST(ExpandCounted, TakesCountsOfAllSizes) {
  lab::Random random;
  Words counts = random.Vector<std::uint32_t>(8197, 0, 5);
  counts[5000] = 20'000;
  ExpectExpanded(expand, AnyWords(random, 8197), counts);
}

// `out` is what the split was made from.
template <typename F>
void ExpectUnsplit(const F& function, const Words& want, const Flags& flags,
                   std::uint32_t before = kPoison) {
  SCOPED_TRACE("with n = " + std::to_string(want.size()));
  Words split;
  for (const bool side : {false, true}) {
    for (std::size_t i = 0; i < want.size(); ++i) {
      if ((flags[i] != 0) == side) split.push_back(want[i]);
    }
  }
  Words out(want.size(), kPoison);
  Words workspace(WorkspaceSize(want.size()), before);
  function(split, flags, out, workspace);
  lab::ExpectAllEqual(out, want);
}

void ExpectUnsplitOf(lab::Random& random, std::size_t n) {
  ExpectUnsplit(unsplit, AnyWords(random, n), random.Vector<std::uint8_t>(n, 0, 1));
}

TEST(UnsplitTest, TakesAnyNumberOfValues) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ExpectUnsplitOf(random, n);
    ExpectUnsplit(unsplit, AnyWords(random, n), Flags(n, 0));
    ExpectUnsplit(unsplit, AnyWords(random, n), Flags(n, 1));
    if (HasFailure()) return;
  }
}

TEST(UnsplitTest, TakesAnyNumberButZeroForAFlagThatIsSet) {
  lab::Random random;
  ExpectUnsplit(unsplit, AnyWords(random, 2000), random.Vector<std::uint8_t>(2000, 0, 255));
}

TEST(UnsplitTest, MakesNothingOfWhatTheWorkspaceHolds) {
  lab::Random random;
  for (const std::size_t n : {1024, 3000}) {
    const auto flags = random.Vector<std::uint8_t>(n, 0, 1);
    for (const std::uint32_t before : {0u, 1u}) {
      ExpectUnsplit(unsplit, AnyWords(random, n), flags, before);
    }
  }
}

TEST(UnsplitTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    ExpectUnsplitOf(random, random.UniformInt<std::size_t>(0, 5000));
  }
}

TEST(UnsplitTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Words want = AnyWords(random, 1500);
  const auto flags = random.Vector<std::uint8_t>(1500, 0, 1);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectUnsplit(unsplit, want, flags);
  });
}

TEST(UnsplitTest, ThrowsWhenARuntimeCallFails) {
  ExpectUnsplit(lab::WithFailingCalls(unsplit), Words{1, 2, 3, 4}, Flags{1, 0, 0, 1});
}

// What is counted.
TEST(UnsplitCounted, TakesManyValues) {
  lab::Random random;
  ExpectUnsplitOf(random, 65'541);
}

}  // namespace
}  // namespace layout_test
