// The hidden test of the lab "Sparse matrix times vector": products. What BuildEll gives is tested
// in hidden_ell_test.cc, what is counted and timed in hidden_cost_test.cc.
//
// All functions that multiply promise the same, and are asked the same. Each starts with a small
// matrix, so that a common mistake shows there first. Most products are of whole numbers that
// nothing rounds, so that there is one right answer, whatever the order.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_spmv/hidden_functions.h"

namespace spmv_test {
namespace {

// More than a grid that fills a GPU has threads; and fewer for functions in which 32 threads may
// share a row, as they take a while here.
constexpr std::size_t kLargeRows = 300'000;
constexpr std::size_t kLargeRowsOfWarps = 60'000;

// A function, and what a test of it is called.
struct Part {
  std::string name;
  Multiply multiply;
  std::size_t large_rows = kLargeRowsOfWarps;
};

std::string NameOf(const testing::TestParamInfo<Part>& info) { return info.param.name; }

class ProductTest : public testing::TestWithParam<Part> {
 protected:
  void Expect(const CsrMatrix& matrix) { ExpectProduct(GetParam().multiply, matrix, random_); }
  void Expect(const CsrMatrix& matrix, const Floats& x) {
    ExpectProduct(GetParam().multiply, matrix, x);
  }
  // All rows of one length.
  void ExpectEqual(std::size_t rows, std::size_t length, std::size_t columns) {
    Expect(OfLengths(random_, Lengths(rows, length), columns));
  }

  lab::Random random_;
};

TEST_P(ProductTest, MultipliesASmallMatrix) {
  Expect({3, 4, {0, 2, 2, 5}, {1, 3, 0, 1, 2}, {5, 2, 1, 3, 4}}, {1, 2, 3, 4});
}

TEST_P(ProductTest, MultipliesSeveralHundredRows) { Expect(Short(random_, 700, 500)); }

TEST_P(ProductTest, MultipliesAnyNumberOfRowsAtWarpAndBlockEdges) {
  std::set<std::size_t> sizes;
  for (const std::size_t width : {4, 8, 32, 128, 256, 1024}) {
    for (const std::size_t n : lab::EdgeSizes(width)) sizes.insert(n);
  }
  for (const std::size_t rows : sizes) {
    if (HasFailure()) return;
    Lengths lengths(rows);
    for (std::size_t& length : lengths) length = random_.UniformInt<std::size_t>(0, 5);
    // The last one is found to be missing.
    if (rows > 0) lengths.back() = 3;
    Expect(OfLengths(random_, lengths, rows + 1));
  }
}

TEST_P(ProductTest, MultipliesRowsOfAnyLength) {
  Lengths lengths{127, 128, 129, 255, 256, 257, 511, 512, 513, 1000};
  for (std::size_t length = 0; length <= 70; ++length) lengths.push_back(length);
  random_.Shuffle(lengths);
  Expect(OfLengths(random_, lengths, 333));
}

TEST_P(ProductTest, MultipliesOneRowOfEachLengthAroundAWarp) {
  for (const std::size_t length : {0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65}) {
    if (HasFailure()) return;
    ExpectEqual(1, length, 80);
  }
}

TEST_P(ProductTest, MultipliesRowsOfEqualLength) {
  ExpectEqual(1000, 1, 77);
  ExpectEqual(300, 16, 77);
  ExpectEqual(100, 32, 77);
  ExpectEqual(65, 33, 77);
}

TEST_P(ProductTest, GivesZeroForRowsWithoutEntries) {
  ExpectEqual(1, 0, 5);
  ExpectEqual(300, 0, 5);
  Lengths lengths(600, 0);
  for (std::size_t r = 1; r < 599; r += 3) lengths[r] = r % 7;
  Expect(OfLengths(random_, lengths, 40));
}

TEST_P(ProductTest, MultipliesNoRows) {
  Expect(CsrMatrix{});
  ExpectEqual(0, 0, 50);
}

TEST_P(ProductTest, MultipliesOneDenseRowAmongShortOnes) {
  for (const std::size_t dense : {0, 17, 199}) {
    if (HasFailure()) return;
    Lengths lengths(200, 2);
    lengths[dense] = 5000;
    Expect(OfLengths(random_, lengths, 5000));
  }
}

TEST_P(ProductTest, MultipliesAPowerLawMatrix) { Expect(PowerLaw(random_, 10, 8)); }

TEST_P(ProductTest, MultipliesABand) {
  Expect(Band(random_, 2000, 3, 2));
  Expect(Band(random_, 333, 0, 0));
}

TEST_P(ProductTest, MultipliesGrids) { Expect(WithWholeNumbers(random_, sparse::Grid(37, 29))); }

TEST_P(ProductTest, MultipliesWideAndTallMatrices) {
  Expect(Short(random_, 5, 9000));
  Expect(Short(random_, 9000, 5));
  ExpectEqual(1, 3000, 4000);
  ExpectEqual(3000, 1, 1);
}

TEST_P(ProductTest, AddsUpEntriesInOneColumn) {
  CsrMatrix matrix = OfLengths(random_, Lengths(100, 40), 100);
  std::fill(matrix.column_indices.begin(), matrix.column_indices.end(), 99);
  Expect(matrix);
}

// All of x but what is named is NaN, and so is what padding would name by mistake.
TEST_P(ProductTest, ReadsNoElementOfXThatARowDoesNotName) {
  CsrMatrix matrix = Short(random_, 500, 200);
  Floats x = WholeNumbers(random_, 200);
  for (std::uint32_t& column : matrix.column_indices) column = column % 66 * 3 + 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % 3 != 1) x[i] = kNotANumber;
  }
  Expect(matrix, x);
}

TEST_P(ProductTest, GivesZeroWithoutColumns) { ExpectEqual(300, 0, 0); }

TEST_P(ProductTest, FollowsIeee754ForSpecialValues) {
  const CsrMatrix matrix{
      5, 4, {0, 2, 4, 6, 7, 8}, {0, 3, 1, 3, 1, 2, 1, 0}, {1, 2, 3, 4, 5, 6, 0, 0}};
  for (const float special : {kInfinity, -kInfinity, kNotANumber}) {
    SCOPED_TRACE(special);
    Expect(matrix, {1, special, 2, 3});
    Expect(matrix, {1, kInfinity, special, 3});
    CsrMatrix special_entry = matrix;
    special_entry.values[5] = special;
    Expect(special_entry, {1, 2, 3, 4});
  }
}

TEST_P(ProductTest, StaysWithinTheErrorBound) {
  CsrMatrix matrix = PowerLaw(random_, 9, 8);
  matrix.values = random_.Floats(matrix.size(), 0, 1);
  Expect(matrix, random_.Floats(matrix.columns, 0, 1));
  matrix.values = random_.Floats(matrix.size(), -1e10f, 1e10f);
  Expect(matrix, random_.Floats(matrix.columns, -1e10f, 1e10f));
  for (float& value : matrix.values) value = std::ldexp(value, random_.UniformInt(-60, 20));
  Expect(matrix, random_.Floats(matrix.columns, -1, 1));
}

// What y held must not matter, and 0 is no special case of it.
TEST_P(ProductTest, OverwritesWhatTheResultHeld) {
  const CsrMatrix matrix = Short(random_, 500, 200);
  const Floats x = WholeNumbers(random_, 200);
  for (const float before : {1000.0f, 0.0f, kInfinity}) {
    SCOPED_TRACE("the result held " + std::to_string(before));
    ExpectProduct(GetParam().multiply, matrix, x, Floats(matrix.rows, before));
  }
}

TEST_P(ProductTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 15 && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    Expect(Short(random_, random_.UniformInt<std::size_t>(0, 900), 300));
  }
}

TEST_P(ProductTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  const CsrMatrix matrix = PowerLaw(random_, 8, 8);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Expect(matrix);
  });
}

TEST_P(ProductTest, MultipliesALargeMatrix) {
  Lengths lengths(lab::Scaled(GetParam().large_rows) + 1);
  for (std::size_t r = 0; r < lengths.size(); ++r) lengths[r] = (r + 2) % 4;
  Expect(OfLengths(random_, lengths, 1000));
}

TEST_P(ProductTest, ThrowsWhenARuntimeCallFails) {
  ExpectProduct(lab::WithFailingCalls(GetParam().multiply), Short(random_, 700, 500), random_);
}

INSTANTIATE_TEST_SUITE_P(MultiplyByThreadsTest, ProductTest,
                         testing::Values(Part{"Csr", kByThreads, kLargeRows}), NameOf);
INSTANTIATE_TEST_SUITE_P(MultiplyByWarpsTest, ProductTest, testing::Values(Part{"Csr", kByWarps}),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(MultiplyEllTest, ProductTest,
                         testing::Values(Part{"AsWideAsTheLongestRow", kEll},
                                         Part{"Wider", kWideEll}),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(MultiplyCooTest, ProductTest,
                         testing::Values(Part{"RowByRow", kCoo, kLargeRows},
                                         Part{"Shuffled", kShuffledCoo}),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(MultiplyHybridTest, ProductTest,
                         testing::Values(Part{"FourWide", HybridOfWidth(4)},
                                         Part{"WithoutWidth", HybridOfWidth(0)},
                                         Part{"WithoutRest", kHybridWithoutRest}),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(MultiplyJaggedTest, ProductTest, testing::Values(Part{"Sorted", kJagged}),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(MultiplyByColumnsTest, ProductTest,
                         testing::Values(Part{"Csc", kByColumns}), NameOf);

}  // namespace
}  // namespace spmv_test
