// The public test: a few simple cases for each part. The grader tests more; streams.h says what.
// TakesWholeChunks of each part has the size on which the grader counts.

#include "labs/cuda_streams/streams.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Numbers = std::vector<std::uint32_t>;

const lab::Function<decltype(MixInTwoStreams)> mix_in_two_streams{"MixInTwoStreams"};
const lab::Function<decltype(MixChained)> mix_chained{"MixChained"};
const lab::Function<decltype(MixInPipeline)> mix_in_pipeline{"MixInPipeline"};
const lab::Function<decltype(MixManaged)> mix_managed{"MixManaged"};
const lab::Function<decltype(MixHandedOver)> mix_handed_over{"MixHandedOver"};

constexpr int kRounds = 2;

// What the grader counts: 16 chunks of 128 KiB.
constexpr std::size_t kCounted = 1 << 19;
constexpr int kCountedChunk = 1 << 15;

// Three chunks: every kind of call is made.
constexpr std::size_t kFailing = 250;
constexpr int kFailingChunk = 100;

std::uint32_t Mixed(std::uint32_t x, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

Numbers AllMixed(const Numbers& in, int rounds = kRounds) {
  Numbers out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = Mixed(in[i], rounds);
  return out;
}

struct StreamsTest : testing::Test {
  lab::Random random;

  Numbers In(std::size_t n) { return random.Vector<std::uint32_t>(n, 0, UINT32_MAX); }
};

struct MixInTwoStreamsTest : StreamsTest {
  template <typename F>
  void Expect(const F& mix, std::size_t n, int chunk) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk));
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    mix(in, out, kRounds, chunk);
    lab::ExpectAllEqual(out, AllMixed(in));
  }
};

// One number, by hand: 1 << 13 is 0x2000, and so on.
TEST_F(MixInTwoStreamsTest, MixesOneNumberAsOnPaper) {
  const Numbers in = {1};
  Numbers out = lab::Poisoned<std::uint32_t>(1);
  mix_in_two_streams(in, out, 1, 1);
  EXPECT_EQ(out[0], 0x00042021u);
}

TEST_F(MixInTwoStreamsTest, TakesSixChunks) { Expect(mix_in_two_streams, 6000, 1000); }
TEST_F(MixInTwoStreamsTest, TakesALastChunkThatIsSmaller) {
  Expect(mix_in_two_streams, 5500, 1000);
}
TEST_F(MixInTwoStreamsTest, TakesAChunkLargerThanAll) { Expect(mix_in_two_streams, 300, 1000); }
TEST_F(MixInTwoStreamsTest, DoesNothingWithoutNumbers) { Expect(mix_in_two_streams, 0, 1000); }

TEST_F(MixInTwoStreamsTest, TakesWholeChunks) {
  Expect(mix_in_two_streams, kCounted, kCountedChunk);
}

TEST_F(MixInTwoStreamsTest, ThrowsWhenARuntimeCallFails) {
  Expect(lab::WithFailingCalls(mix_in_two_streams), kFailing, kFailingChunk);
}

struct MixChainedTest : StreamsTest {
  template <typename F>
  void Expect(const F& mix, std::size_t n, int chunk) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk));
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    constexpr std::uint32_t kKey = 12345;
    mix(in, out, kKey, kRounds, chunk);
    Numbers want(n);
    std::uint32_t key = kKey;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0 && i % static_cast<std::size_t>(chunk) == 0) key = want[i - 1];
      want[i] = Mixed(in[i] ^ key, kRounds);
    }
    lab::ExpectAllEqual(out, want);
  }
};

TEST_F(MixChainedTest, TakesOneChunk) { Expect(mix_chained, 1000, 1000); }
TEST_F(MixChainedTest, HandsTheKeyToTheNextChunk) { Expect(mix_chained, 2000, 1000); }
TEST_F(MixChainedTest, TakesSixChunks) { Expect(mix_chained, 6000, 1000); }
TEST_F(MixChainedTest, TakesALastChunkThatIsSmaller) { Expect(mix_chained, 5500, 1000); }
TEST_F(MixChainedTest, DoesNothingWithoutNumbers) { Expect(mix_chained, 0, 1000); }

TEST_F(MixChainedTest, TakesWholeChunks) { Expect(mix_chained, kCounted, kCountedChunk); }

TEST_F(MixChainedTest, ThrowsWhenARuntimeCallFails) {
  Expect(lab::WithFailingCalls(mix_chained), kFailing, kFailingChunk);
}

struct MixInPipelineTest : StreamsTest {
  template <typename F>
  void Expect(const F& mix, std::size_t n, int chunk, int streams) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk) + ", " +
                 std::to_string(streams) + " streams");
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    mix(in, out, kRounds, chunk, streams);
    lab::ExpectAllEqual(out, AllMixed(in));
  }
};

TEST_F(MixInPipelineTest, TakesThreeStreams) { Expect(mix_in_pipeline, 9000, 1000, 3); }
TEST_F(MixInPipelineTest, TakesOneStream) { Expect(mix_in_pipeline, 4000, 1000, 1); }
TEST_F(MixInPipelineTest, TakesMoreStreamsThanChunks) {
  Expect(mix_in_pipeline, 3000, 1000, kMaxStreams);
}
TEST_F(MixInPipelineTest, TakesALastChunkThatIsSmaller) { Expect(mix_in_pipeline, 8500, 1000, 3); }
TEST_F(MixInPipelineTest, DoesNothingWithoutNumbers) { Expect(mix_in_pipeline, 0, 1000, 3); }

TEST_F(MixInPipelineTest, TakesWholeChunks) { Expect(mix_in_pipeline, kCounted, kCountedChunk, 3); }

TEST_F(MixInPipelineTest, ThrowsWhenARuntimeCallFails) {
  Expect(lab::WithFailingCalls(mix_in_pipeline), kFailing, kFailingChunk, 2);
}

struct MixManagedTest : StreamsTest {
  void Expect(std::size_t n, int chunk) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk));
    const Numbers in = In(n);
    Numbers data = in;
    const std::uint32_t all = mix_managed(data, kRounds, chunk);
    const Numbers want = AllMixed(in);
    lab::ExpectAllEqual(data, want);
    std::uint32_t want_all = 0;
    for (const std::uint32_t number : want) want_all ^= number;
    EXPECT_EQ(all, want_all);
  }
};

TEST_F(MixManagedTest, TakesSixChunks) { Expect(6000, 1000); }
TEST_F(MixManagedTest, TakesALastChunkThatIsSmaller) { Expect(5500, 1000); }
TEST_F(MixManagedTest, TakesAChunkLargerThanAll) { Expect(300, 1000); }
TEST_F(MixManagedTest, DoesNothingWithoutNumbers) { Expect(0, 1000); }

TEST_F(MixManagedTest, TakesWholeChunks) { Expect(kCounted, kCountedChunk); }

// A call that fails leaves the numbers in any state, so they are not compared.
TEST_F(MixManagedTest, ThrowsWhenARuntimeCallFails) {
  Numbers data = In(kFailing);
  lab::ExpectFailuresReported([&] { mix_managed(data, kRounds, kFailingChunk); });
  Expect(kFailing, kFailingChunk);
}

struct MixHandedOverTest : StreamsTest {
  template <typename F>
  void Expect(const F& mix, std::size_t n, int chunk) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk));
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    mix(in, out, kRounds, chunk);
    lab::ExpectAllEqual(out, AllMixed(in));
  }
};

TEST_F(MixHandedOverTest, TakesSixChunks) { Expect(mix_handed_over, 6000, 1000); }
TEST_F(MixHandedOverTest, TakesALastChunkThatIsSmaller) { Expect(mix_handed_over, 5500, 1000); }
TEST_F(MixHandedOverTest, TakesAChunkLargerThanAll) { Expect(mix_handed_over, 300, 1000); }
TEST_F(MixHandedOverTest, DoesNothingWithoutNumbers) { Expect(mix_handed_over, 0, 1000); }

TEST_F(MixHandedOverTest, TakesWholeChunks) { Expect(mix_handed_over, kCounted, kCountedChunk); }

TEST_F(MixHandedOverTest, ThrowsWhenARuntimeCallFails) {
  Expect(lab::WithFailingCalls(mix_handed_over), kFailing, kFailingChunk);
}

}  // namespace
