// The hidden test of the lab "Sparse matrix times vector": what BuildEll gives. There is one right
// answer.

#include <gtest/gtest.h>

#include <algorithm>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_spmv/hidden_functions.h"

namespace spmv_test {
namespace {

// The width is that of the longest row and `more`.
void ExpectEll(const CsrMatrix& matrix, std::size_t more = 0) {
  const std::size_t width = sparse::LongestRow(matrix) + more;
  SCOPED_TRACE("with " + std::to_string(matrix.rows) + " rows, " + std::to_string(matrix.size()) +
               " entries and a width of " + std::to_string(width));
  const sparse::EllMatrix want = sparse::ToHybrid(matrix, width).ell;
  auto columns = lab::Poisoned<unsigned>(want.column_indices.size());
  Floats values = lab::Poisoned<float>(want.values.size());
  build_ell(matrix.row_pointers, matrix.column_indices, matrix.values, columns, values);
  if (!lab::ExpectAllEqual(columns, want.column_indices)) return;
  lab::ExpectAllEqual(values, want.values);
}

TEST(BuildEllTest, BuildsASmallMatrix) {
  ExpectEll({3, 4, {0, 2, 2, 5}, {1, 3, 0, 1, 2}, {5, 2, 1, 3, 4}});
}

TEST(BuildEllTest, BuildsSeveralHundredRows) {
  lab::Random random;
  ExpectEll(Short(random, 700, 500));
}

TEST(BuildEllTest, BuildsAnyNumberOfRowsAtWarpAndBlockEdges) {
  lab::Random random;
  for (const std::size_t width : {8, 32, 256, 1024}) {
    for (const std::size_t rows : lab::EdgeSizes(width)) {
      if (HasFailure()) return;
      ExpectEll(Short(random, rows, rows + 1));
    }
  }
}

TEST(BuildEllTest, BuildsRowsOfAnyLength) {
  lab::Random random;
  Lengths lengths{127, 128, 129, 255, 256, 257, 511, 512, 513, 1000};
  for (std::size_t length = 0; length <= 70; ++length) lengths.push_back(length);
  random.Shuffle(lengths);
  ExpectEll(OfLengths(random, lengths, 333));
}

TEST(BuildEllTest, BuildsRowsOfEqualLength) {
  lab::Random random;
  for (const std::size_t length : {1, 16, 31, 32, 33}) {
    ExpectEll(OfLengths(random, Lengths(300, length), 77));
  }
}

TEST(BuildEllTest, FillsAllSlotsOfRowsWithoutEntries) {
  lab::Random random;
  ExpectEll(OfLengths(random, Lengths(300, 0), 5), 3);
  Lengths lengths(600, 0);
  for (std::size_t r = 1; r < 599; r += 3) lengths[r] = r % 7;
  ExpectEll(OfLengths(random, lengths, 40));
}

TEST(BuildEllTest, FillsSlotsThatNoRowNeeds) {
  lab::Random random;
  ExpectEll(Short(random, 333, 50), 1);
  ExpectEll(Short(random, 333, 50), 40);
  ExpectEll({}, 7);
}

TEST(BuildEllTest, BuildsNothing) {
  ExpectEll({});
  ExpectEll({5, 5, {0, 0, 0, 0, 0, 0}, {}, {}});
}

TEST(BuildEllTest, BuildsOneDenseRowAmongShortOnes) {
  lab::Random random;
  for (const std::size_t dense : {0, 17, 199}) {
    Lengths lengths(200, 2);
    lengths[dense] = 2000;
    ExpectEll(OfLengths(random, lengths, 5000));
  }
}

TEST(BuildEllTest, BuildsAPowerLawMatrix) {
  lab::Random random;
  ExpectEll(PowerLaw(random, 9, 8));
}

TEST(BuildEllTest, BuildsABand) {
  lab::Random random;
  ExpectEll(Band(random, 2000, 3, 2));
}

// Entries are copied, whatever they are: an entry of 0 is no padding.
TEST(BuildEllTest, KeepsZerosAndInfinities) {
  lab::Random random;
  CsrMatrix matrix = Short(random, 300, 50);
  const float specials[] = {0, kInfinity, -kInfinity, kNotANumber, 1};
  for (std::size_t k = 0; k < matrix.size(); ++k) matrix.values[k] = specials[k % 5];
  ExpectEll(matrix);
}

TEST(BuildEllTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 15 && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectEll(Short(random, random.UniformInt<std::size_t>(0, 900), 300));
  }
}

TEST(BuildEllTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const CsrMatrix matrix = Short(random, 1000, 500);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectEll(matrix);
  });
}

TEST(BuildEllTest, BuildsALargeMatrix) {
  lab::Random random;
  ExpectEll(Short(random, lab::Scaled(60'000) + 1, 1000));
}

TEST(BuildEllTest, ThrowsWhenARuntimeCallFails) {
  const CsrMatrix one{1, 1, {0, 1}, {0}, {5}};
  std::vector<unsigned> columns(1, 7);
  Floats values(1);
  lab::WithFailingCalls(build_ell)(one.row_pointers, one.column_indices, one.values, columns,
                                   values);
  EXPECT_EQ(columns, std::vector<unsigned>{0});
  EXPECT_EQ(values, Floats{5});
}

}  // namespace
}  // namespace spmv_test
