// The hidden test of the lab "Libraries on a GPU".

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_library/answers.h"
#include "labs/cuda_library/library.h"

namespace cuda_library {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const lab::Function<decltype(Distance)> distance{"Distance"};
const lab::Function<decltype(CountKeys)> count_keys{"CountKeys"};
const lab::Function<decltype(TopRecords)> top_records{"TopRecords"};
const lab::Function<decltype(RowOffsets)> row_offsets{"RowOffsets"};
const lab::Function<decltype(SoftmaxRows)> softmax_rows{"SoftmaxRows"};

// Sizes at which warps, blocks and tiles of usual sizes begin and end, ascending.
std::vector<std::size_t> Sizes() {
  return {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 6000};
}

Floats SomeFloats(std::size_t n) { return lab::Random().Floats(n, -1, 1); }

// A thousand elements come first: a common mistake shows there.
TEST(DistanceTest, TakesAThousandCoordinates) {
  ExpectDistance(distance, SomeFloats(1000), SomeFloats(1000));
}

TEST(DistanceTest, TakesEveryEdgeSize) {
  for (const std::size_t n : Sizes()) ExpectDistance(distance, SomeFloats(n), SomeFloats(n));
}

// Squares of 10^60 in a sum, and one of 10^-12 beside nothing.
TEST(DistanceTest, ComputesInDouble) {
  ExpectDistance(distance, Floats(3000, 1e30f), Floats(3000, -1e30f));
  ExpectDistance(distance, {1e-6f, 0}, {0, 0});
  ExpectDistance(distance, Floats(3000, 0.3f), Floats(3000, 0.2f));
  Floats one_large(70'001, 0.001f);
  one_large[7] = 4096;
  ExpectDistance(distance, one_large, Floats(70'001, 0.0f));
}

TEST(DistanceTest, FollowsIeee754ForSpecialValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t place : {0, 511, 999}) {
    Floats x = SomeFloats(1000);
    x[place] = -kInfinity;
    ExpectDistance(distance, x, SomeFloats(1000));
    ExpectDistance(distance, x, x);
    x[place] = nan;
    ExpectDistance(distance, SomeFloats(1000), x);
  }
}

TEST(DistanceTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectDistance(distance, SomeFloats(5000), SomeFloats(5000));
  });
}

TEST(DistanceTest, ThrowsWhenARuntimeCallFails) {
  ExpectDistance(lab::WithFailingCalls(distance), SomeFloats(1000), SomeFloats(1000));
}

TEST(DistanceCounted, TakesAQuarterOfAMillionCoordinates) {
  ExpectDistance(distance, SomeFloats((1 << 18) + 5), SomeFloats((1 << 18) + 5));
}

std::uint32_t LargestOf(int bits) { return bits == 32 ? ~0u : (1u << bits) - 1; }

Words SomeKeys(std::size_t n, int bits) {
  return lab::Random().Vector<std::uint32_t>(n, 0, LargestOf(bits));
}

TEST(CountKeysTest, TakesAThousandKeys) { ExpectCounts(count_keys, SomeKeys(1000, 5), 5); }

TEST(CountKeysTest, TakesEveryEdgeSize) {
  for (const std::size_t n : Sizes()) ExpectCounts(count_keys, SomeKeys(n, 9), 9);
}

TEST(CountKeysTest, TakesKeysOfAnyNumberOfBits) {
  for (int bits = 1; bits <= 32; ++bits) {
    Words keys = SomeKeys(500, bits);
    keys.insert(keys.end(), {0, LargestOf(bits), LargestOf(bits), 0});
    ExpectCounts(count_keys, keys, bits);
  }
}

TEST(CountKeysTest, TakesEqualAndDifferentKeys) {
  ExpectCounts(count_keys, Words(5000, 7), 32);
  Words different(5000);
  std::iota(different.rbegin(), different.rend(), 0u);
  ExpectCounts(count_keys, different, 13);
}

TEST(CountKeysTest, TakesManyKeys) {
  const std::size_t n = lab::Scaled(300'001);
  ExpectCounts(count_keys, SomeKeys(n, 16), 16);
}

TEST(CountKeysTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectCounts(count_keys, SomeKeys(3000, 8), 8);
  });
}

TEST(CountKeysTest, ThrowsWhenARuntimeCallFails) {
  ExpectCounts(lab::WithFailingCalls(count_keys), SomeKeys(100, 4), 4);
}

TEST(CountKeysCounted, TakesManyKeysOfTwelveBits) {
  ExpectCounts(count_keys, SomeKeys((1 << 17) + 5, 12), 12);
}

TEST(TopRecordsTest, TakesTenOfAThousand) { ExpectTop(top_records, SomeFloats(1000), 10); }

TEST(TopRecordsTest, TakesEveryEdgeSize) {
  for (const std::size_t n : Sizes()) {
    for (const std::size_t k : {std::size_t{0}, n / 2, n}) ExpectTop(top_records, SomeFloats(n), k);
  }
}

// Whole numbers, infinities, zeros of both signs, and numbers close to zero.
TEST(TopRecordsTest, KeepsTheOrderOfEqualScores) {
  lab::Random random;
  const Floats kinds{0.0f, -0.0f, 1, -1, kInfinity, -kInfinity, 1e-40f, -1e-40f, 3e38f};
  Floats scores(3000);
  for (float& score : scores) score = kinds[random.UniformInt<std::size_t>(0, kinds.size() - 1)];
  ExpectTop(top_records, scores, 3000);
  ExpectTop(top_records, scores, 700);
  ExpectTop(top_records, Floats(3000, -2.5f), 2999);
}

TEST(TopRecordsTest, TakesManyRecords) {
  const std::size_t n = lab::Scaled(200'001);
  ExpectTop(top_records, SomeFloats(n), n / 3);
}

TEST(TopRecordsTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectTop(top_records, SomeFloats(3000), 100);
  });
}

TEST(TopRecordsTest, ThrowsWhenARuntimeCallFails) {
  ExpectTop(lab::WithFailingCalls(top_records), SomeFloats(100), 7);
}

TEST(TopRecordsCounted, TakesAThousandOfManyRecords) {
  ExpectTop(top_records, SomeFloats((1 << 16) + 5), 1000);
}

Words SomeLengths(std::size_t n) { return lab::Random().Vector<std::uint32_t>(n, 0, 3); }

TEST(RowOffsetsTest, TakesAThousandRows) { ExpectRows(row_offsets, SomeLengths(1000)); }

TEST(RowOffsetsTest, TakesEveryEdgeSize) {
  for (const std::size_t n : Sizes()) ExpectRows(row_offsets, SomeLengths(n));
}

TEST(RowOffsetsTest, TakesLengthsThatAddUpToNearly32Bits) {
  Words lengths(5, 800'000'000);
  lengths.insert(lengths.begin() + 2, 300, 256);
  ExpectRows(row_offsets, lengths);
  ExpectRows(row_offsets, {0, 1u << 31, 0, (1u << 31) - 1, 0});
}

TEST(RowOffsetsTest, TakesNoEmptyRowsAndOnlyThose) {
  ExpectRows(row_offsets, Words(5000, 2));
  ExpectRows(row_offsets, Words(5000, 0));
}

TEST(RowOffsetsTest, TakesManyRows) { ExpectRows(row_offsets, SomeLengths(lab::Scaled(400'001))); }

TEST(RowOffsetsTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectRows(row_offsets, SomeLengths(5000));
  });
}

TEST(RowOffsetsTest, ThrowsWhenARuntimeCallFails) {
  ExpectRows(lab::WithFailingCalls(row_offsets), SomeLengths(100));
}

TEST(RowOffsetsCounted, TakesManyRows) { ExpectRows(row_offsets, SomeLengths((1 << 17) + 5)); }

TEST(SoftmaxRowsTest, TakesTwoRowsOfAHundred) {
  ExpectSoftmax(softmax_rows, SomeMatrix(2, 100, -5, 5));
}

TEST(SoftmaxRowsTest, TakesRowsOfEveryEdgeSize) {
  for (const int columns : {0,   1,   2,   3,   31,  32,  33,  63,  64,   65,  127,
                            128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024}) {
    ExpectSoftmax(softmax_rows, SomeMatrix(3, columns, -5, 5));
  }
}

TEST(SoftmaxRowsTest, TakesAnyNumberOfRows) {
  for (const int rows : {0, 1, 7, 8, 9, 300}) {
    ExpectSoftmax(softmax_rows, SomeMatrix(rows, 5, -5, 5));
  }
}

TEST(SoftmaxRowsTest, TakesLargeAndSmallNumbers) {
  ExpectSoftmax(softmax_rows, SomeMatrix(4, 333, 9990, 9999));
  ExpectSoftmax(softmax_rows, SomeMatrix(4, 333, -9999, -9990));
  Matrix matrix = SomeMatrix(4, 1000, -10, 10);
  for (const std::size_t place : {0, 1999, 2500}) matrix.numbers[place] = 10'000;
  ExpectSoftmax(softmax_rows, matrix);
}

TEST(SoftmaxRowsTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSoftmax(softmax_rows, SomeMatrix(7, 200, -5, 5));
  });
}

TEST(SoftmaxRowsTest, ThrowsWhenARuntimeCallFails) {
  ExpectSoftmax(lab::WithFailingCalls(softmax_rows), SomeMatrix(3, 100, -5, 5));
}

TEST(SoftmaxRowsCounted, TakesLongRows) {
  ExpectSoftmax(softmax_rows, SomeMatrix(256, 1000, -5, 5));
}

}  // namespace
}  // namespace cuda_library
