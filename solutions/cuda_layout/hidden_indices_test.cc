// The hidden test of the lab "Data movement on a GPU": gather and scatter.

#include <gtest/gtest.h>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_layout/hidden_inputs.h"

namespace layout_test::indices_test {

const lab::Function<decltype(Gather)> gather{"Gather"};
const lab::Function<decltype(Scatter)> scatter{"Scatter"};

// `count` indices, about one in nine of which names nothing.
Words SomeIndices(lab::Random& random, std::size_t count, std::size_t size) {
  return random.Vector<std::uint32_t>(count, 0, static_cast<std::uint32_t>(size + size / 8));
}

std::string Described(std::size_t from, std::size_t to) {
  return "with n = " + std::to_string(from) + " values and m = " + std::to_string(to) + " places";
}

template <typename F>
void ExpectGatheredBy(const F& function, const Words& values, const Words& sources,
                      std::uint32_t before = kPoison) {
  Words want;
  for (const std::uint32_t source : sources) {
    want.push_back(source < values.size() ? values[source] : 0);
  }
  Words out(sources.size(), before);
  function(values, sources, out);
  SCOPED_TRACE(Described(values.size(), sources.size()));
  lab::ExpectAllEqual(out, want);
}

void ExpectGathered(const Words& values, const Words& sources, std::uint32_t before = kPoison) {
  ExpectGatheredBy(gather, values, sources, before);
}

TEST(GatherTest, TakesAThousandSources) {
  lab::Random random;
  ExpectGathered(AnyWords(random, 500), SomeIndices(random, 1000, 500));
}

TEST(GatherTest, TakesAnyNumberOfSources) {
  lab::Random random;
  for (const std::size_t m : Sizes()) {
    const std::size_t n = random.UniformInt<std::size_t>(0, 300);
    ExpectGathered(AnyWords(random, n), SomeIndices(random, m, n));
    if (HasFailure()) return;
  }
}

TEST(GatherTest, GivesZeroForIndicesBehindTheLastValue) {
  lab::Random random;
  for (const std::size_t n : {0, 1, 31, 32, 33, 256}) {
    const auto size = static_cast<std::uint32_t>(n);
    ExpectGathered(AnyWords(random, n), {size, size + 1, 0, 0x7fffffff, 0x80000000, 0xffffffff});
  }
}

TEST(GatherTest, TakesEveryValueFromOneSource) {
  lab::Random random;
  ExpectGathered(AnyWords(random, 700), Words(1000, 699));
}

TEST(GatherTest, ReversesManyValues) {
  lab::Random random;
  const std::size_t n = lab::Scaled(200'000) + 7;
  Words sources(n);
  for (std::size_t i = 0; i < n; ++i) sources[i] = static_cast<std::uint32_t>(n - 1 - i);
  ExpectGathered(AnyWords(random, n), sources);
}

TEST(GatherTest, OverwritesWhatTheResultHeld) {
  lab::Random random;
  for (const std::uint32_t before : {0u, 1u, 0xffffffffu}) {
    ExpectGathered(AnyWords(random, 90), SomeIndices(random, 300, 90), before);
  }
}

TEST(GatherTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Words values = AnyWords(random, 1000);
  const Words sources = SomeIndices(random, 3000, 1000);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectGathered(values, sources);
  });
}

TEST(GatherTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  ExpectGatheredBy(lab::WithFailingCalls(gather), AnyWords(random, 90),
                   SomeIndices(random, 300, 90));
}

// Before the call each place holds `before` plus its index.
template <typename F>
void ExpectScatteredBy(const F& function, const Words& values, const Words& targets,
                       std::size_t places, std::uint32_t before = 0xc0000000,
                       std::uint32_t workspace_before = kPoison) {
  Words out(places);
  std::iota(out.begin(), out.end(), before);
  Words want = out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (targets[i] < places) want[targets[i]] = values[i];
  }
  Words workspace(ScatterWorkspaceSize(places), workspace_before);
  function(values, targets, out, workspace);
  SCOPED_TRACE(Described(values.size(), places));
  lab::ExpectAllEqual(out, want);
}

void ExpectScattered(const Words& values, const Words& targets, std::size_t places) {
  ExpectScatteredBy(scatter, values, targets, places);
}

TEST(ScatterTest, TakesAThousandValues) {
  lab::Random random;
  ExpectScattered(AnyWords(random, 1000), SomeIndices(random, 1000, 600), 600);
}

TEST(ScatterTest, TakesAnyNumberOfValues) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    const std::size_t m = random.UniformInt<std::size_t>(1, 300);
    ExpectScattered(AnyWords(random, n), SomeIndices(random, n, m), m);
    if (HasFailure()) return;
  }
}

TEST(ScatterTest, TakesAnyNumberOfPlaces) {
  lab::Random random;
  for (const std::size_t m : Sizes()) {
    ExpectScattered(AnyWords(random, 300), SomeIndices(random, 300, m), m);
    if (HasFailure()) return;
  }
}

TEST(ScatterTest, DropsValuesWhoseTargetDoesNotExist) {
  lab::Random random;
  for (const std::size_t m : {0, 1, 32, 33, 256}) {
    const auto size = static_cast<std::uint32_t>(m);
    ExpectScattered(AnyWords(random, 6), {size, size + 1, 0, 0x7fffffff, 0x80000000, 0xffffffff},
                    m);
  }
}

// The first value, with the smallest index, wins where it is alone.
TEST(ScatterTest, KeepsTheFirstValueWhereNoOtherHasItsTarget) {
  Words targets(100, 1);
  targets[0] = 0;
  ExpectScattered(KeysBy(100, [](std::size_t i) { return 7 * i + 1; }), targets, 2);
}

// All blocks want one place; then two in turn; then the largest index comes first in its warp.
TEST(ScatterTest, LetsTheLargestIndexWin) {
  lab::Random random;
  for (const std::size_t n : {2, 32, 33, 1000, 5000}) {
    ExpectScattered(AnyWords(random, n), Words(n, 3), 9);
    ExpectScattered(AnyWords(random, n), KeysBy(n, [](std::size_t i) { return i % 2; }), 9);
    ExpectScattered(AnyWords(random, n), KeysBy(n, [](std::size_t i) { return i % 32; }), 32);
    ExpectScattered(AnyWords(random, n), KeysBy(n, [n](std::size_t i) { return (n - i) / 3; }), n);
    if (HasFailure()) return;
  }
}

// Equal values, and zeros: who wins must be decided by the index alone.
TEST(ScatterTest, ComparesIndicesAndNotValues) {
  ExpectScattered(KeysBy(2000, [](std::size_t i) { return 2000 - i; }), Words(2000, 0), 1);
  ExpectScattered(KeysBy(2000, [](std::size_t i) { return i < 1999 ? i : 0; }), Words(2000, 4), 5);
}

TEST(ScatterTest, MakesNothingOfWhatResultAndWorkspaceHold) {
  lab::Random random;
  for (const std::uint32_t content : {0u, 1u, 0x7fffffffu, 0xffffffffu}) {
    ExpectScatteredBy(scatter, AnyWords(random, 300), SomeIndices(random, 300, 500), 500, content,
                      content);
  }
}

TEST(ScatterTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Words values = AnyWords(random, 3000);
  const Words targets = SomeIndices(random, 3000, 1000);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectScattered(values, targets, 1000);
  });
}

TEST(ScatterTest, TakesManyValues) {
  lab::Random random;
  const std::size_t n = lab::Scaled(200'000) + 7;
  ExpectScattered(AnyWords(random, n), SomeIndices(random, n, n / 2), n / 2);
}

TEST(ScatterTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  ExpectScatteredBy(lab::WithFailingCalls(scatter), AnyWords(random, 300),
                    SomeIndices(random, 300, 90), 90);
}

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
constexpr std::size_t kCounted = (1 << 16) + 5;
constexpr std::size_t kCountedPlaces = 40'000;

TEST(GatherCounted, TakesSixtyFiveThousandSources) {
  lab::Random random;
  ExpectGathered(AnyWords(random, kCountedPlaces), SomeIndices(random, kCounted, kCountedPlaces));
}

TEST(ScatterCounted, TakesSixtyFiveThousandValues) {
  lab::Random random;
  ExpectScattered(AnyWords(random, kCounted), SomeIndices(random, kCounted, kCountedPlaces),
                  kCountedPlaces);
}

}  // namespace layout_test::indices_test
