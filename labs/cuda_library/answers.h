#pragma once

// For the tests: right answers of all parts, and calls that are compared with them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_library/library.h"

namespace cuda_library {

using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

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

template <typename F>
void ExpectCounts(const F& function, const Words& keys, int key_bits) {
  SCOPED_TRACE(std::to_string(keys.size()) + " keys of " + std::to_string(key_bits) + " bits");
  Words sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  Words want_keys;
  Words want_counts;
  for (const std::uint32_t key : sorted) {
    if (want_keys.empty() || want_keys.back() != key) {
      want_keys.push_back(key);
      want_counts.push_back(0);
    }
    ++want_counts.back();
  }
  Words distinct = lab::Poisoned<std::uint32_t>(keys.size());
  Words counts = lab::Poisoned<std::uint32_t>(keys.size());
  Words number = lab::Poisoned<std::uint32_t>(1);
  function(keys, key_bits, distinct, counts, number);
  const Words want_number{static_cast<std::uint32_t>(want_keys.size())};
  if (!lab::ExpectAllEqual(number, want_number)) return;
  distinct.resize(want_keys.size());
  counts.resize(want_keys.size());
  EXPECT_TRUE(lab::ExpectAllEqual(distinct, want_keys)) << "these are the keys";
  EXPECT_TRUE(lab::ExpectAllEqual(counts, want_counts)) << "these are the counts";
}

template <typename F>
void ExpectTop(const F& function, const Floats& scores, std::size_t k) {
  const std::size_t n = scores.size();
  SCOPED_TRACE(std::to_string(k) + " of " + std::to_string(n) + " records");
  Words order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  lab::Random random;
  const Words ids = random.Vector<std::uint32_t>(n, 0, ~0u);
  const Floats weights = random.Floats(n, -1e30f, 1e30f);
  Words want_ids(k);
  Floats want_weights(k);
  for (std::size_t i = 0; i < k; ++i) {
    want_ids[i] = ids[order[i]];
    want_weights[i] = weights[order[i]];
  }
  Words top_ids = lab::Poisoned<std::uint32_t>(k);
  Floats top_weights = lab::Poisoned<float>(k);
  function(scores, ids, weights, top_ids, top_weights);
  EXPECT_TRUE(lab::ExpectAllEqual(top_ids, want_ids)) << "these are the ids";
  EXPECT_TRUE(lab::ExpectAllEqual(top_weights, want_weights)) << "these are the weights";
}

template <typename F>
void ExpectRows(const F& function, const Words& lengths) {
  const std::size_t n = lengths.size();
  SCOPED_TRACE(std::to_string(n) + " rows");
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
  EXPECT_TRUE(lab::ExpectAllEqual(offsets, want)) << "these are the offsets";
  if (!lab::ExpectAllEqual(number, Words{static_cast<std::uint32_t>(rows.size())})) return;
  nonempty.resize(rows.size());
  EXPECT_TRUE(lab::ExpectAllEqual(nonempty, rows)) << "these are the rows that are not empty";
}

struct Matrix {
  int rows;
  int columns;
  Floats numbers;
};

inline Matrix SomeMatrix(int rows, int columns, float least, float most) {
  const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  return {rows, columns, lab::Random().Floats(size, least, most)};
}

template <typename F>
void ExpectSoftmax(const F& function, const Matrix& matrix) {
  SCOPED_TRACE(std::to_string(matrix.rows) + " rows of " + std::to_string(matrix.columns));
  const Floats& logits = matrix.numbers;
  const auto columns = static_cast<std::size_t>(matrix.columns);
  std::vector<double> want(logits.size());
  for (std::size_t begin = 0; begin < logits.size(); begin += columns) {
    const std::size_t end = begin + columns;
    const double largest = *std::max_element(&logits[begin], &logits[begin] + columns);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += want[i] = std::exp(logits[i] - largest);
    for (std::size_t i = begin; i < end; ++i) want[i] /= sum;
  }
  Floats got = lab::Poisoned<float>(logits.size());
  function(logits, got, matrix.rows, matrix.columns);
  EXPECT_TRUE(lab::ExpectAllNear(got, want, lab::Tolerance{.absolute = 1e-9, .relative = 1e-5}));
}

}  // namespace cuda_library
