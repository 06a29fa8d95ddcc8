// The hidden test of the lab "Streams on a GPU".

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_streams/hidden_cases.h"

namespace cuda_streams {
namespace {

constexpr Number kKey = 0x9E3779B9;

Mix PipelineOf(int streams) {
  return [streams](auto in, auto out, int rounds, int chunk) {
    mix_in_pipeline(in, out, rounds, chunk, streams);
  };
}

// In place; the exclusive-or that the function returns is checked here.
void Managed(std::span<const Number> in, std::span<Number> out, int rounds, int chunk) {
  std::ranges::copy(in, out.begin());
  const Number all = mix_managed(out, rounds, chunk);
  Number want = 0;
  for (const Number number : in) want ^= Mixed(number, rounds);
  EXPECT_EQ(all, want) << "the exclusive-or";
}

void Chained(std::span<const Number> in, std::span<Number> out, int rounds, int chunk) {
  mix_chained(in, out, kKey, rounds, chunk);
}

// A part, and how its results depend on each other.
struct Part {
  Mix mix;
  Chain chain;
};

// All parts promise the same.
struct MixTest : testing::TestWithParam<Part> {
  lab::Random random;

  void Expect(const Size& size) { ExpectMixed(GetParam().mix, size, random, GetParam().chain); }
};

TEST_P(MixTest, TakesTenChunks) { Expect({5000, 500}); }

TEST_P(MixTest, DoesNothingWithoutNumbers) {
  Expect({0, 1});
  Expect({0, 1000});
}

TEST_P(MixTest, TakesChunksOfOneNumber) {
  Expect({1, 1});
  Expect({2, 1});
  Expect({11, 1});
}

TEST_P(MixTest, TakesEveryNumberOfChunks) {
  for (int chunks = 1; chunks <= 9; ++chunks) {
    Expect({static_cast<std::size_t>(chunks) * 64, 64});
    if (HasFailure()) return;
  }
}

TEST_P(MixTest, TakesALastChunkThatIsSmaller) {
  for (const std::size_t n : lab::EdgeSizes(300)) {
    Expect({n, 300});
    if (HasFailure()) return;
  }
}

TEST_P(MixTest, TakesAChunkThatIsNoMultipleOfAnything) {
  Expect({4001, 997});
  Expect({1025, 257});
  Expect({2000, 1999});
}

TEST_P(MixTest, TakesAChunkLargerThanAll) {
  Expect({700, 701});
  Expect({700, 1 << 20});
}

// Memory for such a chunk exists nowhere.
TEST_P(MixTest, TakesTheLargestChunk) { Expect({700, std::numeric_limits<int>::max()}); }

TEST_P(MixTest, TakesManyChunks) { Expect({lab::Scaled(40000), 40}); }

TEST_P(MixTest, LeavesNumbersAsTheyAreInNoRounds) { Expect({2500, 1000, 0}); }

TEST_P(MixTest, MixesManyTimes) { Expect({600, 250, 40}); }

TEST_P(MixTest, KeepsNothingForTheNextCall) {
  Expect({3000, 1000});
  Expect({3000, 500});
  Expect({1500, 1000});
}

TEST_P(MixTest, ServesSeveralCallers) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Expect({2100, 500});
  });
}

Part InTwoStreams() { return {mix_in_two_streams, {}}; }
Part InChains() { return {Chained, {true, kKey}}; }

INSTANTIATE_TEST_SUITE_P(MixInTwoStreamsTest, MixTest, testing::Values(InTwoStreams()));
INSTANTIATE_TEST_SUITE_P(MixChainedTest, MixTest, testing::Values(InChains()));
INSTANTIATE_TEST_SUITE_P(MixInPipelineTest, MixTest,
                         testing::Values(Part{PipelineOf(1), {}}, Part{PipelineOf(3), {}}));
INSTANTIATE_TEST_SUITE_P(MixManagedTest, MixTest, testing::Values(Part{Managed, {}}));
INSTANTIATE_TEST_SUITE_P(MixHandedOverTest, MixTest, testing::Values(Part{mix_handed_over, {}}));

struct MixChainedTest : testing::Test {
  lab::Random random;
};

TEST_F(MixChainedTest, TakesAnyKey) {
  for (const Number key : {Number{0}, Number{1}, ~Number{0}}) {
    const Mix mix = [key](auto in, auto out, int rounds, int chunk) {
      mix_chained(in, out, key, rounds, chunk);
    };
    ExpectMixed(mix, {2500, 1000}, random, {true, key});
  }
}

struct MixInPipelineTest : testing::Test {
  lab::Random random;
};

TEST_F(MixInPipelineTest, TakesEveryNumberOfStreams) {
  for (int streams = 1; streams <= kMaxStreams; ++streams) {
    SCOPED_TRACE(std::to_string(streams) + " streams");
    ExpectMixed(PipelineOf(streams), {4600, 200}, random);
    ExpectMixed(PipelineOf(streams), {static_cast<std::size_t>(streams) * 100 + 1, 100}, random);
    if (HasFailure()) return;
  }
}

// Failing calls, in the suites that lab.toml names. 3 chunks: every kind of call is made.
constexpr std::size_t kFailing = 250;
constexpr int kFailingChunk = 100;

TEST(MixInTwoStreamsTest, ReportsEveryCallThatFails) {
  lab::Random random;
  ExpectMixed(lab::WithFailingCalls(mix_in_two_streams), {kFailing, kFailingChunk}, random);
}

TEST_F(MixChainedTest, ReportsEveryCallThatFails) {
  const auto failing = lab::WithFailingCalls(mix_chained);
  const Mix mix = [&](auto in, auto out, int rounds, int chunk) {
    failing(in, out, kKey, rounds, chunk);
  };
  ExpectMixed(mix, {kFailing, kFailingChunk}, random, {true, kKey});
}

TEST_F(MixInPipelineTest, ReportsEveryCallThatFails) {
  const auto failing = lab::WithFailingCalls(mix_in_pipeline);
  const Mix mix = [&](auto in, auto out, int rounds, int chunk) {
    failing(in, out, rounds, chunk, 2);
  };
  ExpectMixed(mix, {kFailing, kFailingChunk}, random);
}

// A call that fails leaves the numbers in any state, so this one has numbers of its own.
TEST(MixManagedTest, ReportsEveryCallThatFails) {
  Numbers data(kFailing, 7);
  lab::ExpectFailuresReported([&] { mix_managed(data, 3, kFailingChunk); });
}

TEST(MixHandedOverTest, ReportsEveryCallThatFails) {
  lab::Random random;
  ExpectMixed(lab::WithFailingCalls(mix_handed_over), {kFailing, kFailingChunk}, random);
}

}  // namespace
}  // namespace cuda_streams
