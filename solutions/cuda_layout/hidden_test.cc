// The hidden test of the lab "Data movement on a GPU": compaction. The other parts' tests are in
// the files hidden_*_test.cc beside it.

#include <gtest/gtest.h>

#include <memory>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_layout/hidden_inputs.h"

namespace layout_test {
namespace {

const lab::Function<decltype(Compact)> compact{"Compact"};

Flags SomeFlags(lab::Random& random, std::size_t n) {
  Flags flags(n);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; ++i, bits >>= 1) {
    if (i % 64 == 0) bits = random.Next();
    flags[i] = bits & 1;
  }
  return flags;
}

template <typename FlagAt>
Flags FlagsBy(std::size_t n, const FlagAt& flag_at) {
  Flags flags(n);
  for (std::size_t i = 0; i < n; ++i) flags[i] = flag_at(i) ? 1 : 0;
  return flags;
}

// What the result and the workspace hold before.
struct Before {
  std::uint32_t kept = 0xc0ffee00;
  std::uint32_t workspace = kPoison;
};

template <typename F>
void ExpectCompactedBy(const F& function, const Words& values, const Flags& flags,
                       const Before& before = {}) {
  Words want;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (flags[i] != 0) want.push_back(values[i]);
  }
  const Words count_wanted{static_cast<std::uint32_t>(want.size())};
  want.resize(values.size(), before.kept);
  Words kept(values.size(), before.kept);
  Words count{kPoison};
  Words workspace(WorkspaceSize(values.size()), before.workspace);
  function(values, flags, kept, count, workspace);
  SCOPED_TRACE("with n = " + std::to_string(values.size()) + ", of which " +
               std::to_string(count_wanted[0]) + " are kept");
  {
    SCOPED_TRACE("in the count");
    lab::ExpectAllEqual(count, count_wanted);
  }
  SCOPED_TRACE("in the values");
  lab::ExpectAllEqual(kept, want);
}

void ExpectCompacted(const Words& values, const Flags& flags) {
  ExpectCompactedBy(compact, values, flags);
}

TEST(CompactTest, KeepsHalfOfAThousandValues) {
  lab::Random random;
  ExpectCompacted(AnyWords(random, 1000), SomeFlags(random, 1000));
}

TEST(CompactTest, TakesAnyNumberOfValues) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ExpectCompacted(AnyWords(random, n), SomeFlags(random, n));
    ExpectCompacted(AnyWords(random, n), Flags(n, 1));
    ExpectCompacted(AnyWords(random, n), Flags(n, 0));
    if (HasFailure()) return;
  }
}

// One value is kept, or all but one: the first, the last, or one at the edge of a warp or a block.
TEST(CompactTest, KeepsOneOrAllButOne) {
  lab::Random random;
  constexpr std::size_t kValues = 3001;
  for (const std::size_t one : {0, 31, 32, 255, 256, 1023, 1024, 1999, 2047, 3000}) {
    const Words values = AnyWords(random, kValues);
    ExpectCompacted(values, FlagsBy(kValues, [one](std::size_t i) { return i == one; }));
    ExpectCompacted(values, FlagsBy(kValues, [one](std::size_t i) { return i != one; }));
    if (HasFailure()) return;
  }
}

TEST(CompactTest, KeepsWholeWarpsAndBlocksInTurn) {
  lab::Random random;
  constexpr std::size_t kValues = 9000;
  for (const std::size_t run : {1, 32, 256, 700, 1024, 4096}) {
    const Words values = AnyWords(random, kValues);
    ExpectCompacted(values, FlagsBy(kValues, [run](std::size_t i) { return i / run % 2 == 0; }));
    ExpectCompacted(values, FlagsBy(kValues, [run](std::size_t i) { return i / run % 2 == 1; }));
    if (HasFailure()) return;
  }
}

TEST(CompactTest, TakesAnyNumberButZeroForAFlagThatIsSet) {
  lab::Random random;
  ExpectCompacted(AnyWords(random, 2000), random.Vector<std::uint8_t>(2000, 0, 255));
  for (const int flag : {1, 2, 3, 128, 255}) {
    ExpectCompacted(AnyWords(random, 100), Flags(100, static_cast<std::uint8_t>(flag)));
  }
}

TEST(CompactTest, KeepsEqualValuesAndZeros) {
  lab::Random random;
  ExpectCompacted(Words(3000, 0), SomeFlags(random, 3000));
  ExpectCompacted(Words(3000, kPoison), SomeFlags(random, 3000));
}

TEST(CompactTest, MakesNothingOfWhatResultAndWorkspaceHold) {
  lab::Random random;
  for (const std::uint32_t content : {0u, 1u, 0xffffffffu}) {
    ExpectCompactedBy(compact, AnyWords(random, 5000), SomeFlags(random, 5000), {content, content});
  }
}

TEST(CompactTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    const auto n = random.UniformInt<std::size_t>(0, 5000);
    ExpectCompacted(AnyWords(random, n), SomeFlags(random, n));
  }
}

TEST(CompactTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Words values = AnyWords(random, 1500);
  const Flags flags = SomeFlags(random, 1500);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectCompacted(values, flags);
  });
}

// So many that more counts are to be scanned than a block has threads, also where every access is
// checked.
TEST(CompactTest, TakesManyValues) {
  lab::Random random;
  constexpr std::size_t kValues = 1024 * 1024 + 3000;
  ExpectCompacted(AnyWords(random, kValues), SomeFlags(random, kValues));
}

TEST(CompactTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  const Words values = AnyWords(random, 1500);
  ExpectCompactedBy(lab::WithFailingCalls(compact), values, SomeFlags(random, 1500));
}

// What the simulator counts, always with the same size: thresholds in lab.toml are on these.
TEST(CompactCounted, TakesAHundredThousandValues) {
  lab::Random random;
  constexpr std::size_t kValues = (1 << 17) + 5;
  ExpectCompacted(AnyWords(random, kValues), SomeFlags(random, kValues));
}

TEST(CompactTiming, TakesSixtyFiveThousandValues) {
  const std::size_t n = lab::TimedSize(1 << 16, 1 << 25);
  const lab::Work work{7.0 * static_cast<double>(n), 1.0 * static_cast<double>(n)};
  lab::RunTimedPairs(work, [n](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Words>(AnyWords(random, n));
    const auto flags = std::make_shared<Flags>(SomeFlags(random, n));
    return [values, flags] { ExpectCompacted(*values, *flags); };
  });
}

}  // namespace
}  // namespace layout_test
