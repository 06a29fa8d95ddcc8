#include "labs/mpi_stencil/stencil.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <vector>

#include "common/lab/testing/function.h"

namespace {

// Of each rank.
using Parts = std::vector<std::vector<double>>;

const lab::Function<decltype(ExchangeRows)> exchange_rows{"ExchangeRows"};
const lab::Function<decltype(ExchangeBlocks)> exchange_blocks{"ExchangeBlocks"};
const lab::Function<decltype(OverlappedStep)> overlapped_step{"OverlappedStep"};
const lab::Function<decltype(Converge)> converge{"Converge"};

constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

// Three ranks with a row of two cells each, between a border of zeros.
TEST(ExchangeRowsTest, FillsTheHaloBetweenTwoEnds) {
  Parts bands = {{0, 0, 1, 2, kUnset, kUnset},
                 {kUnset, kUnset, 3, 4, kUnset, kUnset},
                 {kUnset, kUnset, 5, 6, 0, 0}};
  exchange_rows(bands, 2, false);
  EXPECT_EQ(bands, (Parts{{0, 0, 1, 2, 3, 4}, {1, 2, 3, 4, 5, 6}, {3, 4, 5, 6, 0, 0}}));
}

TEST(ExchangeRowsTest, FillsTheHaloOfARing) {
  Parts bands(3);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    bands[rank] = {kUnset, kUnset, static_cast<double>(rank), 9, kUnset, kUnset};
  }
  exchange_rows(bands, 2, true);
  EXPECT_EQ(bands, (Parts{{2, 9, 0, 9, 1, 9}, {0, 9, 1, 9, 2, 9}, {1, 9, 2, 9, 0, 9}}));
}

TEST(ExchangeRowsTest, TellsTheTwoSidesOfTwoRanksApart) {
  Parts bands = {{kUnset, 1, 2, kUnset}, {kUnset, 3, 4, kUnset}};
  exchange_rows(bands, 1, true);
  EXPECT_EQ(bands, (Parts{{4, 1, 2, 3}, {2, 3, 4, 1}}));
}

// A plate of 2 x 3 cells on a grid of 1 x 2 ranks: one has a column, the other two.
TEST(ExchangeBlocksTest, FillsTheHaloOfATorus) {
  Parts blocks = {{kUnset, kUnset, kUnset,  //
                   kUnset, 1, kUnset,       //
                   kUnset, 4, kUnset,       //
                   kUnset, kUnset, kUnset},
                  {kUnset, kUnset, kUnset, kUnset,  //
                   kUnset, 2, 3, kUnset,            //
                   kUnset, 5, 6, kUnset,            //
                   kUnset, kUnset, kUnset, kUnset}};
  exchange_blocks(blocks, PlateSize{2, 3}, RankGrid{1, 2}, true);
  EXPECT_EQ(blocks[0], (std::vector<double>{6, 4, 5,  //
                                            3, 1, 2,  //
                                            6, 4, 5,  //
                                            3, 1, 2}));
  EXPECT_EQ(blocks[1], (std::vector<double>{4, 5, 6, 4,  //
                                            1, 2, 3, 1,  //
                                            4, 5, 6, 4,  //
                                            1, 2, 3, 1}));
}

// Four cells on a grid of 2 x 2 ranks, between a border of zeros: three neighbours each.
TEST(ExchangeBlocksTest, FillsTheHaloBetweenBorders) {
  Parts blocks = {{0, 0, 0, 0, 1, kUnset, 0, kUnset, kUnset},
                  {0, 0, 0, kUnset, 2, 0, kUnset, kUnset, 0},
                  {0, kUnset, kUnset, 0, 3, kUnset, 0, 0, 0},
                  {kUnset, kUnset, 0, kUnset, 4, 0, 0, 0, 0}};
  exchange_blocks(blocks, PlateSize{2, 2}, RankGrid{2, 2}, false);
  EXPECT_EQ(blocks, (Parts{{0, 0, 0, 0, 1, 2, 0, 3, 4},
                           {0, 0, 0, 1, 2, 0, 3, 4, 0},
                           {0, 1, 2, 0, 3, 4, 0, 0, 0},
                           {1, 2, 0, 3, 4, 0, 0, 0, 0}}));
}

TEST(OverlappedStepTest, GivesCellsTheMeanOfTheirNeighbours) {
  // Rows of three cells, of which only the middle one is no border.
  Parts bands = {{0, 8, 0, 0, 4, 0, kUnset, kUnset, kUnset},
                 {kUnset, kUnset, kUnset, 0, 2, 0, 0, 6, 0, 0, 16, 0}};
  Parts after = {std::vector<double>(3, kUnset), std::vector<double>(6, kUnset)};
  overlapped_step(bands, after, 3, false);
  EXPECT_EQ(after, (Parts{{0, 2.5, 0}, {0, 2.5, 0, 0, 4.5, 0}}));
}

// A plate of two warm rows between a cold border.
TEST(ConvergeTest, StopsWithTheFirstSmallChange) {
  Parts bands = {{0, 0, 0, 0, 8, 0, kUnset, kUnset, kUnset},
                 {kUnset, kUnset, kUnset, 0, 8, 0, 0, 0, 0}};
  Parts changes(2, std::vector<double>(5, -1));
  EXPECT_EQ(converge(bands, 3, false, 1.5, changes), 2);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(changes[rank], (std::vector<double>{6, 1.5, -1, -1, -1})) << "rank " << rank;
    EXPECT_EQ(bands[rank][4], 0.5) << "rank " << rank;
  }
}

TEST(ConvergeTest, MakesNoMoreStepsThanItMay) {
  Parts bands = {{0, 0, 0, 0, 8, 0, 0, 0, 0}};
  Parts changes = {{-1, -1}};
  EXPECT_EQ(converge(bands, 3, false, 0, changes), 2);
  EXPECT_EQ(changes, (Parts{{8, 0}}));
}

}  // namespace
