// The public test of the lab "Libraries on a GPU".

#include "labs/cuda_library/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

const lab::Function<decltype(Distance)> distance{"Distance"};
const lab::Function<decltype(CountKeys)> count_keys{"CountKeys"};
const lab::Function<decltype(TopRecords)> top_records{"TopRecords"};
const lab::Function<decltype(RowOffsets)> row_offsets{"RowOffsets"};
const lab::Function<decltype(SoftmaxRows)> softmax_rows{"SoftmaxRows"};

template <typename F>
void ExpectDistance(const F& function, const Floats& x, const Floats& y) {
  long double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = double{x[i]} - double{y[i]};
    squares += static_cast<long double>(difference) * difference;
  }
  std::vector<double> got = lab::Poisoned<double>(1);
  function(x, y, got);
  const std::vector<double> want{static_cast<double>(std::sqrt(squares))};
  const double relative = static_cast<double>(x.size() + 16) * 0x1p-53;
  EXPECT_TRUE(lab::ExpectAllNear(got, want, lab::Tolerance{.absolute = 0, .relative = relative}))
      << "with " << x.size() << " coordinates";
}

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

template <typename F>
void ExpectCounts(const F& function, const Words& keys, int key_bits) {
  std::map<std::uint32_t, std::uint32_t> want;
  for (const std::uint32_t key : keys) ++want[key];
  Words distinct = lab::Poisoned<std::uint32_t>(keys.size());
  Words counts = lab::Poisoned<std::uint32_t>(keys.size());
  Words number = lab::Poisoned<std::uint32_t>(1);
  function(keys, key_bits, distinct, counts, number);
  ASSERT_EQ(number[0], want.size()) << "with " << keys.size() << " keys";
  Words keys_wanted;
  Words counts_wanted;
  for (const auto& [key, count] : want) {
    keys_wanted.push_back(key);
    counts_wanted.push_back(count);
  }
  distinct.resize(want.size());
  counts.resize(want.size());
  EXPECT_TRUE(lab::ExpectAllEqual(distinct, keys_wanted)) << "these are the keys";
  EXPECT_TRUE(lab::ExpectAllEqual(counts, counts_wanted)) << "these are the counts";
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

template <typename F>
void ExpectTop(const F& function, const Floats& scores, std::size_t k) {
  const std::size_t n = scores.size();
  Words order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  const Words ids = lab::Random().Vector<std::uint32_t>(n, 0, ~0u);
  const Floats weights = lab::Random().Floats(n, -1, 1);
  Words want_ids;
  Floats want_weights;
  for (std::size_t i = 0; i < k; ++i) {
    want_ids.push_back(ids[order[i]]);
    want_weights.push_back(weights[order[i]]);
  }
  Words top_ids = lab::Poisoned<std::uint32_t>(k);
  Floats top_weights = lab::Poisoned<float>(k);
  function(scores, ids, weights, top_ids, top_weights);
  EXPECT_TRUE(lab::ExpectAllEqual(top_ids, want_ids)) << k << " ids of " << n;
  EXPECT_TRUE(lab::ExpectAllEqual(top_weights, want_weights)) << k << " weights of " << n;
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

template <typename F>
void ExpectRows(const F& function, const Words& lengths) {
  const std::size_t n = lengths.size();
  Words want{0};
  Words rows;
  for (std::size_t i = 0; i < n; ++i) {
    want.push_back(want.back() + lengths[i]);
    if (lengths[i] != 0) rows.push_back(static_cast<std::uint32_t>(i));
  }
  Words offsets = lab::Poisoned<std::uint32_t>(n + 1);
  Words nonempty = lab::Poisoned<std::uint32_t>(n);
  Words number = lab::Poisoned<std::uint32_t>(1);
  std::vector<std::uint8_t> storage = lab::Poisoned<std::uint8_t>(RowOffsetsStorage(n));
  function(lengths, offsets, nonempty, number, storage);
  EXPECT_TRUE(lab::ExpectAllEqual(offsets, want)) << "offsets of " << n << " rows";
  ASSERT_EQ(number[0], rows.size()) << "of " << n << " rows";
  nonempty.resize(rows.size());
  EXPECT_TRUE(lab::ExpectAllEqual(nonempty, rows)) << "these are the rows that are not empty";
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

template <typename F>
void ExpectSoftmax(const F& function, int rows, int columns, float center) {
  const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  const Floats logits = lab::Random().Floats(size, center - 5, center + 5);
  std::vector<double> want(size);
  for (std::size_t begin = 0; begin < size; begin += static_cast<std::size_t>(columns)) {
    const auto end = begin + static_cast<std::size_t>(columns);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += want[i] = std::exp(double{logits[i]} - center);
    for (std::size_t i = begin; i < end; ++i) want[i] /= sum;
  }
  Floats got = lab::Poisoned<float>(size);
  function(logits, got, rows, columns);
  EXPECT_TRUE(lab::ExpectAllNear(got, want, lab::Tolerance{.absolute = 1e-9, .relative = 1e-5}))
      << rows << " rows of " << columns;
}

TEST(SoftmaxRowsTest, TakesThreeRows) { ExpectSoftmax(softmax_rows, 3, 4, 0); }

TEST(SoftmaxRowsTest, TakesTheLongestRows) { ExpectSoftmax(softmax_rows, 40, kMaxColumns, 0); }

TEST(SoftmaxRowsTest, TakesLargeNumbers) { ExpectSoftmax(softmax_rows, 5, 333, 1000); }

TEST(SoftmaxRowsTest, DoesNothingWithoutRows) { ExpectSoftmax(softmax_rows, 0, 5, 0); }

TEST(SoftmaxRowsTest, ThrowsWhenARuntimeCallFails) {
  ExpectSoftmax(lab::WithFailingCalls(softmax_rows), 2, 5, 0);
}

}  // namespace
