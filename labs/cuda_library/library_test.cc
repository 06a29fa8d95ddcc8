// The public test of the lab "Libraries on a GPU".

#include "labs/cuda_library/library.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_library/answers.h"

namespace cuda_library {
namespace {

const lab::Function<decltype(Distance)> distance{"Distance"};
const lab::Function<decltype(CountKeys)> count_keys{"CountKeys"};
const lab::Function<decltype(TopRecords)> top_records{"TopRecords"};
const lab::Function<decltype(RowOffsets)> row_offsets{"RowOffsets"};
const lab::Function<decltype(SoftmaxRows)> softmax_rows{"SoftmaxRows"};

TEST(DistanceTest, TakesTwoCoordinates) { ExpectDistance(distance, {1, 2.5f}, {4, -1.5f}); }

TEST(DistanceTest, TakesManyCoordinates) {
  lab::Random random;
  const Floats x = random.Floats(100'003, -1, 1);
  ExpectDistance(distance, x, random.Floats(100'003, -1, 1));
}

TEST(DistanceTest, IsZeroWithoutCoordinates) { ExpectDistance(distance, {}, {}); }

TEST(DistanceTest, ThrowsWhenARuntimeCallFails) {
  ExpectDistance(lab::WithFailingCalls(distance), {1, 2, 3}, {3, 2, 2});
}

TEST(CountKeysTest, TakesSixKeys) { ExpectCounts(count_keys, {3, 1, 3, 3, 0, 1}, 2); }

TEST(CountKeysTest, TakesManyKeysOfTwelveBits) {
  ExpectCounts(count_keys, lab::Random().Vector<std::uint32_t>(50'001, 0, 4095), 12);
}

TEST(CountKeysTest, TakesKeysOfAllBits) {
  ExpectCounts(count_keys, {~0u, 0, 1u << 31, ~0u, 77}, 32);
}

TEST(CountKeysTest, CountsNothingWithoutKeys) { ExpectCounts(count_keys, {}, 8); }

TEST(CountKeysTest, ThrowsWhenARuntimeCallFails) {
  ExpectCounts(lab::WithFailingCalls(count_keys), {5, 2, 5}, 3);
}

TEST(TopRecordsTest, TakesThreeOfFive) { ExpectTop(top_records, {1, -2.5f, 7, 1, 0.5f}, 3); }

TEST(TopRecordsTest, TakesTenOfMany) {
  ExpectTop(top_records, lab::Random().Floats(30'007, -10, 10), 10);
}

TEST(TopRecordsTest, TakesAllOfMany) {
  ExpectTop(top_records, lab::Random().Floats(3001, -1, 1), 3001);
}

TEST(TopRecordsTest, DoesNothingForNoRecords) { ExpectTop(top_records, {1, 2, 3}, 0); }

TEST(TopRecordsTest, ThrowsWhenARuntimeCallFails) {
  ExpectTop(lab::WithFailingCalls(top_records), {1, 3, 2}, 2);
}

TEST(RowOffsetsTest, TakesFiveRows) { ExpectRows(row_offsets, {2, 0, 1, 0, 4}); }

TEST(RowOffsetsTest, TakesManyRows) {
  ExpectRows(row_offsets, lab::Random().Vector<std::uint32_t>(50'001, 0, 3));
}

TEST(RowOffsetsTest, TakesEmptyRows) { ExpectRows(row_offsets, Words(3000, 0)); }

TEST(RowOffsetsTest, HasOneOffsetWithoutRows) { ExpectRows(row_offsets, {}); }

TEST(RowOffsetsTest, ThrowsWhenARuntimeCallFails) {
  ExpectRows(lab::WithFailingCalls(row_offsets), {1, 0, 2});
}

TEST(SoftmaxRowsTest, TakesThreeRows) { ExpectSoftmax(softmax_rows, SomeMatrix(3, 4, -5, 5)); }

TEST(SoftmaxRowsTest, TakesTheLongestRows) {
  ExpectSoftmax(softmax_rows, SomeMatrix(40, kMaxColumns, -5, 5));
}

TEST(SoftmaxRowsTest, TakesLargeNumbers) {
  ExpectSoftmax(softmax_rows, SomeMatrix(5, 333, 995, 1005));
}

TEST(SoftmaxRowsTest, DoesNothingWithoutRows) {
  ExpectSoftmax(softmax_rows, SomeMatrix(0, 5, -5, 5));
}

TEST(SoftmaxRowsTest, ThrowsWhenARuntimeCallFails) {
  ExpectSoftmax(lab::WithFailingCalls(softmax_rows), SomeMatrix(2, 5, -5, 5));
}

}  // namespace
}  // namespace cuda_library
