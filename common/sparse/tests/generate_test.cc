#include "common/sparse/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using sparse::CsrMatrix;

std::size_t Longest(const CsrMatrix& matrix) {
  std::size_t longest = 0;
  for (std::size_t r = 0; r < matrix.rows; ++r) longest = std::max(longest, matrix.Length(r));
  return longest;
}

TEST(BandedTest, HasTheBandAsFarAsTheMatrixGoes) {
  EXPECT_EQ(sparse::Banded(4, 1, 2),
            (CsrMatrix{4, 4, {0, 3, 7, 10, 12}, {0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 2, 3}, {}}));
  EXPECT_EQ(sparse::Banded(3, 0, 0), (CsrMatrix{3, 3, {0, 1, 2, 3}, {0, 1, 2}, {}}));
  EXPECT_EQ(sparse::Banded(2, 100, 100).size(), 4u);
  EXPECT_EQ(sparse::Banded(0, 1, 1), CsrMatrix{});
}

TEST(BandedTest, RefusesTooManyEntriesBeforeItMakesThem) {
  EXPECT_THROW(sparse::Banded(sparse::kMaxIndex, sparse::kMaxIndex, 0), std::invalid_argument);
  EXPECT_THROW(sparse::Banded(std::size_t{1} << 40, 0, 0), std::invalid_argument);
}

TEST(UniformTest, HasAscendingDifferentColumnsInEachRow) {
  lab::Random random(7);
  for (const std::size_t per_row : {0, 1, 5, 20}) {
    const CsrMatrix matrix = sparse::Uniform(50, 20, per_row, random);
    sparse::Validate(matrix);
    EXPECT_EQ(matrix.rows, 50u);
    EXPECT_EQ(matrix.columns, 20u);
    for (std::size_t r = 0; r < matrix.rows; ++r) EXPECT_EQ(matrix.Length(r), per_row);
    EXPECT_EQ(sparse::Canonical(matrix), matrix);
  }
}

// Each column is in 5 of 20 samples; 4,000 rows give 1,000 with a deviation of 27.
TEST(UniformTest, TakesNoColumnMoreOftenThanAnother) {
  lab::Random random(11);
  const CsrMatrix matrix = sparse::Uniform(4000, 20, 5, random);
  const CsrMatrix transposed = sparse::Transposed(matrix);
  for (std::size_t column = 0; column < 20; ++column) {
    EXPECT_NEAR(static_cast<double>(transposed.Length(column)), 1000, 160) << column;
  }
}

TEST(UniformTest, RefusesMoreEntriesThanARowHasColumns) {
  lab::Random random(1);
  EXPECT_THROW(sparse::Uniform(3, 4, 5, random), std::invalid_argument);
  EXPECT_THROW(sparse::Uniform(1 << 30, 1 << 30, 1 << 20, random), std::invalid_argument);
}

TEST(RmatTest, GivesTheSameGraphForTheSameSeed) {
  lab::Random one(3);
  lab::Random same(3);
  lab::Random other(4);
  const sparse::CooMatrix graph = sparse::Rmat(10, 5000, one);
  sparse::Validate(graph);
  EXPECT_EQ(graph.rows, 1024u);
  EXPECT_EQ(graph.size(), 5000u);
  EXPECT_EQ(sparse::Rmat(10, 5000, same), graph);
  EXPECT_NE(sparse::Rmat(10, 5000, other), graph);
}

// A uniform graph's largest degree would be about 35.
TEST(RmatTest, HasAFewVerticesWithMostEdgesAndManyWithNone) {
  lab::Random random(5);
  const CsrMatrix graph = sparse::ToCsr(sparse::Rmat(12, 16 << 12, random));
  EXPECT_GT(Longest(graph), 500u);
  std::size_t empty = 0;
  for (std::size_t r = 0; r < graph.rows; ++r) empty += graph.Length(r) == 0;
  EXPECT_GT(empty, graph.rows / 10);
}

// The shares of the quarters, of 40,000 edges: deviations are below 0.25 %.
TEST(RmatTest, PutsEdgesIntoTheQuartersAsAsked) {
  lab::Random random(6);
  const sparse::CooMatrix graph = sparse::Rmat(1, 40'000, random, {0.1, 0.2, 0.3, 0.4});
  std::vector<double> share(4);
  for (std::size_t k = 0; k < graph.size(); ++k) {
    share[2 * graph.row_indices[k] + graph.column_indices[k]] += 1.0 / 40'000;
  }
  for (int quarter = 0; quarter < 4; ++quarter) {
    EXPECT_NEAR(share[quarter], 0.1 * (quarter + 1), 0.015) << quarter;
  }
}

TEST(RmatTest, KnowsOneVertexAndNoEdges) {
  lab::Random random(8);
  EXPECT_EQ(sparse::Rmat(0, 2, random), (sparse::CooMatrix{1, 1, {0, 0}, {0, 0}, {}}));
  EXPECT_EQ(sparse::Rmat(3, 0, random).rows, 8u);
}

TEST(RmatTest, RefusesWrongParameters) {
  lab::Random random(9);
  EXPECT_THROW(sparse::Rmat(31, 1, random), std::invalid_argument);
  EXPECT_THROW(sparse::Rmat(1, sparse::kMaxIndex + 1, random), std::invalid_argument);
  EXPECT_THROW(sparse::Rmat(1, 1, random, {0.5, 0.5, 0.5, -0.5}), std::invalid_argument);
  try {
    sparse::Rmat(1, 1, random, {0.5, 0.5, 0.5, 0.5});
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "error: shares of all quarters: 2.000000, limit 1\n  next: choose within the limit");
  }
}

TEST(GridTest, HasUpToFourNeighbours) {
  EXPECT_EQ(sparse::Grid(2, 2), (CsrMatrix{4, 4, {0, 2, 4, 6, 8}, {1, 2, 0, 3, 0, 3, 1, 2}, {}}));
  const CsrMatrix grid = sparse::Grid(5, 3);
  sparse::Validate(grid);
  EXPECT_EQ(grid.size(), 2u * (4 * 3 + 5 * 2));
  EXPECT_EQ(grid.Length(7), 4u);
  EXPECT_EQ(sparse::Transposed(grid), grid);
}

TEST(GridTest, MayBeEmpty) {
  EXPECT_EQ(sparse::Grid(0, 5), CsrMatrix{});
  EXPECT_EQ(sparse::Grid(5, 0), CsrMatrix{});
}

TEST(GridTest, RefusesWhatIsTooLarge) {
  EXPECT_THROW(sparse::Grid(std::size_t{1} << 40, std::size_t{1} << 40), std::invalid_argument);
  EXPECT_THROW(sparse::Grid(1 << 15, 1 << 15), std::invalid_argument);
}

TEST(PathTest, GoesFromEachVertexToItsNeighbours) {
  EXPECT_EQ(sparse::Path(3), (CsrMatrix{3, 3, {0, 1, 3, 4}, {1, 0, 2, 1}, {}}));
  EXPECT_EQ(sparse::Path(1), (CsrMatrix{1, 1, {0, 0}, {}, {}}));
  EXPECT_EQ(sparse::Path(0), CsrMatrix{});
}

}  // namespace
