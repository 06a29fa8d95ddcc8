// The public test of the lab "Streams on a GPU".

#include "labs/cuda_streams/streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"

namespace {

using Numbers = std::vector<std::uint32_t>;

const lab::Function<decltype(MixInTwoStreams)> mix_in_two_streams{"MixInTwoStreams"};
const lab::Function<decltype(MixChained)> mix_chained{"MixChained"};
const lab::Function<decltype(MixInPipeline)> mix_in_pipeline{"MixInPipeline"};
const lab::Function<decltype(MixManaged)> mix_managed{"MixManaged"};
const lab::Function<decltype(MixHandedOver)> mix_handed_over{"MixHandedOver"};

constexpr int kRounds = 2;

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
  void Expect(std::size_t n, int chunk) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk));
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    mix_in_two_streams(in, out, kRounds, chunk);
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

TEST_F(MixInTwoStreamsTest, TakesSixChunks) { Expect(6000, 1000); }
TEST_F(MixInTwoStreamsTest, TakesALastChunkThatIsSmaller) { Expect(5500, 1000); }
TEST_F(MixInTwoStreamsTest, TakesAChunkLargerThanAll) { Expect(300, 1000); }
TEST_F(MixInTwoStreamsTest, DoesNothingWithoutNumbers) { Expect(0, 1000); }

struct MixChainedTest : StreamsTest {
  void Expect(std::size_t n, int chunk) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk));
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    constexpr std::uint32_t kKey = 12345;
    mix_chained(in, out, kKey, kRounds, chunk);
    Numbers want(n);
    std::uint32_t key = kKey;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0 && i % static_cast<std::size_t>(chunk) == 0) key = want[i - 1];
      want[i] = Mixed(in[i] ^ key, kRounds);
    }
    lab::ExpectAllEqual(out, want);
  }
};

TEST_F(MixChainedTest, TakesOneChunk) { Expect(1000, 1000); }
TEST_F(MixChainedTest, HandsTheKeyToTheNextChunk) { Expect(2000, 1000); }
TEST_F(MixChainedTest, TakesSixChunks) { Expect(6000, 1000); }
TEST_F(MixChainedTest, TakesALastChunkThatIsSmaller) { Expect(5500, 1000); }
TEST_F(MixChainedTest, DoesNothingWithoutNumbers) { Expect(0, 1000); }

struct MixInPipelineTest : StreamsTest {
  void Expect(std::size_t n, int chunk, int streams) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk) + ", " +
                 std::to_string(streams) + " streams");
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    mix_in_pipeline(in, out, kRounds, chunk, streams);
    lab::ExpectAllEqual(out, AllMixed(in));
  }
};

TEST_F(MixInPipelineTest, TakesThreeStreams) { Expect(9000, 1000, 3); }
TEST_F(MixInPipelineTest, TakesOneStream) { Expect(4000, 1000, 1); }
TEST_F(MixInPipelineTest, TakesMoreStreamsThanChunks) { Expect(3000, 1000, kMaxStreams); }
TEST_F(MixInPipelineTest, TakesALastChunkThatIsSmaller) { Expect(8500, 1000, 3); }
TEST_F(MixInPipelineTest, DoesNothingWithoutNumbers) { Expect(0, 1000, 3); }

// As many chunks as in the grader's counted call, each a quarter as large.
TEST_F(MixInPipelineTest, TakesWholeChunks) { Expect(1 << 17, 1 << 13, 3); }

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

struct MixHandedOverTest : StreamsTest {
  void Expect(std::size_t n, int chunk) {
    SCOPED_TRACE(std::to_string(n) + " numbers in chunks of " + std::to_string(chunk));
    const Numbers in = In(n);
    Numbers out = lab::Poisoned<std::uint32_t>(n);
    mix_handed_over(in, out, kRounds, chunk);
    lab::ExpectAllEqual(out, AllMixed(in));
  }
};

TEST_F(MixHandedOverTest, TakesSixChunks) { Expect(6000, 1000); }
TEST_F(MixHandedOverTest, TakesALastChunkThatIsSmaller) { Expect(5500, 1000); }
TEST_F(MixHandedOverTest, TakesAChunkLargerThanAll) { Expect(300, 1000); }
TEST_F(MixHandedOverTest, DoesNothingWithoutNumbers) { Expect(0, 1000); }

}  // namespace
