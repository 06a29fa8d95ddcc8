// What the simulator counts and lays out, on the size that lab.toml's thresholds are for.

#include <gtest/gtest.h>

#include "solutions/cuda_streams/hidden_cases.h"

namespace cuda_streams::cost_test {

// 16 chunks of 128 KiB, which are whole pages of managed memory. A kernel takes about as long as
// a copy of its chunk.
constexpr Size kCounted{std::size_t{1} << 19, 1 << 15, 2};
constexpr int kStreams = 3;

// Rounds enough to tell kernels that mix from kernels that copy what the host has mixed.
constexpr Size kParallel{std::size_t{1} << 17, 1 << 15, 40};
constexpr Number kKey = 77;

void ExpectInTwoStreams(const Size& size) {
  lab::Random random;
  ExpectMixed(mix_in_two_streams, size, random);
}

void ExpectChained(const Size& size) {
  lab::Random random;
  const Mix mix = [](auto in, auto out, int rounds, int chunk) {
    mix_chained(in, out, kKey, rounds, chunk);
  };
  ExpectMixed(mix, size, random, {true, kKey});
}

void ExpectInPipeline(const Size& size) {
  lab::Random random;
  const Mix mix = [](auto in, auto out, int rounds, int chunk) {
    mix_in_pipeline(in, out, rounds, chunk, kStreams);
  };
  ExpectMixed(mix, size, random);
}

void ExpectManaged(const Size& size) {
  lab::Random random;
  const auto in = random.Vector<Number>(size.n, 0, UINT32_MAX);
  Numbers data = in;
  const Number all = mix_managed(data, size.rounds, size.chunk);
  const Numbers want = Expected(in, size, {});
  Number want_all = 0;
  for (const Number number : want) want_all ^= number;
  EXPECT_EQ(all, want_all);
  lab::ExpectAllEqual(data, want);
}

void ExpectHandedOver(const Size& size) {
  lab::Random random;
  ExpectMixed(mix_handed_over, size, random);
}

TEST(MixInTwoStreamsCounted, TakesSixteenChunks) { ExpectInTwoStreams(kCounted); }
TEST(MixChainedCounted, TakesSixteenChunks) { ExpectChained(kCounted); }
TEST(MixInPipelineCounted, TakesSixteenChunksInThreeStreams) { ExpectInPipeline(kCounted); }
TEST(MixManagedCounted, TakesSixteenChunks) { ExpectManaged(kCounted); }
TEST(MixHandedOverCounted, TakesSixteenChunks) { ExpectHandedOver(kCounted); }

TEST(MixInTwoStreamsParallelCounted, MixesManyTimes) { ExpectInTwoStreams(kParallel); }
TEST(MixChainedParallelCounted, MixesManyTimes) { ExpectChained(kParallel); }
TEST(MixInPipelineParallelCounted, MixesManyTimes) { ExpectInPipeline(kParallel); }
TEST(MixManagedParallelCounted, MixesManyTimes) { ExpectManaged(kParallel); }
TEST(MixHandedOverParallelCounted, MixesManyTimes) { ExpectHandedOver(kParallel); }

}  // namespace cuda_streams::cost_test
