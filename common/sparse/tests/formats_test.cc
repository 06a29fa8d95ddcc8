#include "common/sparse/formats.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using sparse::CsrMatrix;
using Indices = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

constexpr std::uint32_t kNone = sparse::kNoColumn;

// The one of the header, and an empty row at the end.
const CsrMatrix kMatrix{4, 9, {0, 3, 4, 6, 6}, {0, 2, 4, 1, 3, 5}, {1, 2, 3, 4, 5, 6}};

TEST(FormatsTest, EllHasTheFirstEntriesOfAllRowsSideBySide) {
  const sparse::EllMatrix ell = sparse::ToEll(kMatrix);
  EXPECT_EQ(ell.width, 3u);
  EXPECT_EQ(ell.column_indices,
            (Indices{0, 1, 3, kNone, 2, kNone, 5, kNone, 4, kNone, kNone, kNone}));
  EXPECT_EQ(ell.values, (Floats{1, 4, 5, 0, 2, 0, 6, 0, 3, 0, 0, 0}));
}

TEST(FormatsTest, AHybridPutsTheRestIntoCoordinates) {
  const sparse::HybridMatrix hybrid = sparse::ToHybrid(kMatrix, 1);
  EXPECT_EQ(hybrid.ell.column_indices, (Indices{0, 1, 3, kNone}));
  EXPECT_EQ(hybrid.rest, (sparse::CooMatrix{4, 9, {0, 0, 2}, {2, 4, 5}, {2, 3, 6}}));
}

TEST(FormatsTest, AHybridMayBeWiderThanAllRowsOrHaveNoWidth) {
  EXPECT_EQ(sparse::ToHybrid(kMatrix, 5).rest.size(), 0u);
  EXPECT_EQ(sparse::ToHybrid(kMatrix, 5).ell.values.size(), 20u);
  EXPECT_EQ(sparse::ToHybrid(kMatrix, 0).rest, sparse::ToCoo(kMatrix));
}

TEST(FormatsTest, JaggedDiagonalsBeginWithTheLongestRow) {
  const sparse::JaggedMatrix jagged = sparse::ToJagged(kMatrix);
  EXPECT_EQ(jagged.row_order, (Indices{0, 2, 1, 3}));
  EXPECT_EQ(jagged.diagonal_pointers, (Indices{0, 3, 5, 6}));
  EXPECT_EQ(jagged.column_indices, (Indices{0, 3, 1, 2, 5, 4}));
  EXPECT_EQ(jagged.values, (Floats{1, 5, 4, 2, 6, 3}));
}

TEST(FormatsTest, DiagonalsAreEntriesWhereTheirColumnsExist) {
  const sparse::DiagonalMatrix diagonals{3, 2, {-1, 1}, {9, 1, 2, 3, 9, 9}};
  EXPECT_EQ(sparse::ToCsr(diagonals), (CsrMatrix{3, 2, {0, 1, 2, 3}, {1, 0, 1}, {3, 1, 2}}));
}

TEST(FormatsTest, EachElementOfABlockIsAnEntry) {
  const sparse::BlockMatrix blocks{2, {2, 3, {0, 0, 2}, {2, 0}, {}}, {1, 2, 3, 0, 5, 6, 7, 8}};
  EXPECT_EQ(sparse::ToCsr(blocks),
            (CsrMatrix{4, 6, {0, 0, 0, 4, 8}, {4, 5, 0, 1, 4, 5, 0, 1}, {1, 2, 5, 6, 3, 0, 7, 8}}));
}

TEST(FormatsTest, MatricesOfNothingHaveNoSlotsAndNoDiagonals) {
  EXPECT_EQ(sparse::LongestRow(CsrMatrix{}), 0u);
  EXPECT_EQ(sparse::ToEll(CsrMatrix{}).width, 0u);
  EXPECT_EQ(sparse::ToJagged(CsrMatrix{}).diagonal_pointers, Indices{0});
  const CsrMatrix empty_rows{2, 3, {0, 0, 0}, {}, {}};
  EXPECT_TRUE(sparse::ToEll(empty_rows).values.empty());
  EXPECT_EQ(sparse::ToJagged(empty_rows).row_order, (Indices{0, 1}));
}

TEST(FormatsTest, PatternsGetOnes) {
  const CsrMatrix pattern{1, 2, {0, 2}, {0, 1}, {}};
  EXPECT_EQ(sparse::ToEll(pattern).values, (Floats{1, 1}));
  EXPECT_EQ(sparse::ToJagged(pattern).values, (Floats{1, 1}));
  EXPECT_EQ(sparse::ToHybrid(pattern, 1).rest.values, (Floats{1}));
}

TEST(FormatsTest, RefusesMoreSlotsThanAnIndexHolds) {
  EXPECT_THROW(sparse::ToHybrid(kMatrix, std::size_t{1} << 30), std::invalid_argument);
  EXPECT_THROW(sparse::ToEll(CsrMatrix{1, 1, {0, 1}, {1}, {}}), std::invalid_argument);
}

}  // namespace
