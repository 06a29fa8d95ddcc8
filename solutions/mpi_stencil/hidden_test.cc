#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/mpi_stencil/stencil.h"

namespace {

using Parts = std::vector<std::vector<double>>;
using Sizes = std::vector<std::size_t>;

const lab::Function<decltype(ExchangeRows)> exchange_rows{"ExchangeRows"};
const lab::Function<decltype(ExchangeBlocks)> exchange_blocks{"ExchangeBlocks"};
const lab::Function<decltype(OverlappedStep)> overlapped_step{"OverlappedStep"};
const lab::Function<decltype(Converge)> converge{"Converge"};

constexpr std::size_t kMaxRanks = 8;
constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

std::vector<double> Draw(lab::Random& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values) {
    value = static_cast<double>(random.UniformInt(-1'000'000'000, 1'000'000'000)) / 7;
  }
  return values;
}

// A plate of which each rank has some rows, with the rows beyond its two ends.
struct Bands {
  Sizes rows;  // of each rank
  std::size_t columns;
  bool is_ring;
  std::vector<double> cells;  // with the rows beyond the ends

  std::size_t RowsOfAll() const { return cells.size() / columns - 2; }

  // Their windows; the halo is unset where it is to be filled.
  Parts Unfilled() const {
    Parts parts = Filled();
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
      const auto row = static_cast<std::ptrdiff_t>(columns);
      if (is_ring || rank > 0) std::fill_n(parts[rank].begin(), row, kUnset);
      if (is_ring || rank + 1 < parts.size()) std::fill_n(parts[rank].end() - row, row, kUnset);
    }
    return parts;
  }

  Parts Filled() const { return Windows(1); }
  Parts Own() const { return Windows(0); }

  std::string Case() const {
    std::string text = std::to_string(rows.size()) + " ranks" + (is_ring ? " in a ring" : "") +
                       " with rows of " + std::to_string(columns) + " cells, so many each:";
    for (const std::size_t each : rows) text += " " + std::to_string(each);
    return text;
  }

 private:
  // Of each rank, with so many rows around its own.
  Parts Windows(std::size_t around) const {
    Parts parts;
    std::size_t first = 1;
    for (const std::size_t own : rows) {
      const auto begin = cells.begin() + static_cast<std::ptrdiff_t>((first - around) * columns);
      parts.emplace_back(begin, begin + static_cast<std::ptrdiff_t>((own + 2 * around) * columns));
      first += own;
    }
    return parts;
  }
};

// In a ring the rows beyond the ends are those of the other end.
void Close(Bands& bands) {
  if (!bands.is_ring) return;
  const auto row = static_cast<std::ptrdiff_t>(bands.columns);
  std::copy_n(bands.cells.end() - 2 * row, row, bands.cells.begin());
  std::copy_n(bands.cells.begin() + row, row, bands.cells.end() - row);
}

Bands DrawBands(lab::Random& random, const Sizes& rows, std::size_t columns, bool is_ring) {
  std::size_t all = 2;
  for (const std::size_t each : rows) all += each;
  Bands bands{rows, columns, is_ring, Draw(random, all * columns)};
  Close(bands);
  return bands;
}

// Returns the largest change.
double Step(Bands& bands) {
  const std::vector<double> old = bands.cells;
  const std::size_t columns = bands.columns;
  double change = 0;
  for (std::size_t i = 1; i <= bands.RowsOfAll(); ++i) {
    for (std::size_t j = 1; j + 1 < columns; ++j) {
      const std::size_t at = i * columns + j;
      bands.cells[at] =
          0.25 * ((old[at - columns] + old[at + columns]) + (old[at - 1] + old[at + 1]));
      change = std::max(change, std::abs(bands.cells[at] - old[at]));
    }
  }
  Close(bands);
  return change;
}

// The own rows of bands with a halo.
Parts OwnOf(const Parts& bands, std::size_t columns) {
  Parts own;
  for (const std::vector<double>& band : bands) {
    const auto row = static_cast<std::ptrdiff_t>(columns);
    own.emplace_back(band.begin() + row, band.end() - row);
  }
  return own;
}

void ForBands(lab::Random& random, const std::function<void(const Bands&)>& check) {
  for (std::size_t p = 1; p <= kMaxRanks; ++p) {
    for (const bool is_ring : {false, true}) {
      check(DrawBands(random, Sizes(p, 1), p % 2 == 0 ? 5 : 2, is_ring));
      Sizes rows(p);
      for (std::size_t& each : rows) each = static_cast<std::size_t>(random.UniformInt(1, 4));
      check(DrawBands(random, rows, p % 3 == 0 ? 1 : 3 + p, is_ring));
    }
  }
}

void CheckExchangeRows(const Bands& bands) {
  Parts parts = bands.Unfilled();
  exchange_rows(parts, bands.columns, bands.is_ring);
  EXPECT_EQ(parts, bands.Filled()) << bands.Case();
}

TEST(ExchangeRowsTest, FillsTheHaloForAnyRanksAndSizes) {
  lab::Random random;
  ForBands(random, CheckExchangeRows);
}

TEST(ExchangeRowsTest, SendsLongRows) {
  lab::Random random;
  CheckExchangeRows(DrawBands(random, {1, 2, 1, 1, 3}, 60'000, true));
  CheckExchangeRows(DrawBands(random, {2, 1, 1}, 60'000, false));
}

// The window of each rank into a plate with a border of one cell.
Parts Blocks(const std::vector<double>& plate, PlateSize size, RankGrid grid) {
  Parts blocks;
  for (std::size_t r = 0; r < grid.rows; ++r) {
    for (std::size_t c = 0; c < grid.columns; ++c) {
      std::vector<double> block;
      const std::size_t left = BeginOf(c, grid.columns, size.columns);
      const std::size_t right = BeginOf(c + 1, grid.columns, size.columns) + 2;
      for (std::size_t i = BeginOf(r, grid.rows, size.rows);
           i < BeginOf(r + 1, grid.rows, size.rows) + 2; ++i) {
        for (std::size_t j = left; j < right; ++j) {
          block.push_back(plate[i * (size.columns + 2) + j]);
        }
      }
      blocks.push_back(block);
    }
  }
  return blocks;
}

// What is not border becomes the cell of the torus.
void CloseTorus(std::vector<double>& plate, PlateSize size) {
  const auto at = [&](std::size_t i, std::size_t j) -> double& {
    return plate[i * (size.columns + 2) + j];
  };
  for (std::size_t i = 0; i < size.rows + 2; ++i) {
    for (std::size_t j = 0; j < size.columns + 2; ++j) {
      at(i, j) = at((i + size.rows - 1) % size.rows + 1, (j + size.columns - 1) % size.columns + 1);
    }
  }
}

// Unsets the frame of each block where it is no border.
void Unset(Parts& blocks, PlateSize size, RankGrid grid, bool is_torus) {
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
    const std::size_t top = BeginOf(rank / grid.columns, grid.rows, size.rows);
    const std::size_t left = BeginOf(rank % grid.columns, grid.columns, size.columns);
    const std::size_t width =
        BeginOf(rank % grid.columns + 1, grid.columns, size.columns) - left + 2;
    const std::size_t height = blocks[rank].size() / width;
    for (std::size_t i = 0; i < height; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        const bool is_own = i > 0 && i + 1 < height && j > 0 && j + 1 < width;
        const bool is_border =
            top + i == 0 || top + i > size.rows || left + j == 0 || left + j > size.columns;
        if (!is_own && (is_torus || !is_border)) blocks[rank][i * width + j] = kUnset;
      }
    }
  }
}

void CheckExchangeBlocks(PlateSize size, RankGrid grid, bool is_torus, lab::Random& random) {
  std::vector<double> plate = Draw(random, (size.rows + 2) * (size.columns + 2));
  if (is_torus) CloseTorus(plate, size);
  const Parts expected = Blocks(plate, size, grid);
  Parts blocks = expected;
  Unset(blocks, size, grid, is_torus);
  exchange_blocks(blocks, size, grid, is_torus);
  EXPECT_EQ(blocks, expected) << size.rows << " x " << size.columns << " cells on a grid of "
                              << grid.rows << " x " << grid.columns << " ranks"
                              << (is_torus ? ", a torus" : "");
}

TEST(ExchangeBlocksTest, FillsTheHaloForAnyGridAndSize) {
  lab::Random random;
  const RankGrid grids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 3}, {3, 1}, {2, 3},
                            {3, 2}, {1, 5}, {7, 1}, {2, 4}, {4, 2}, {1, 8}, {8, 1}};
  for (const RankGrid grid : grids) {
    for (const bool is_torus : {false, true}) {
      const auto more = [&] { return static_cast<std::size_t>(random.UniformInt(0, 9)); };
      CheckExchangeBlocks({grid.rows, grid.columns}, grid, is_torus, random);
      CheckExchangeBlocks({grid.rows + more(), grid.columns + more()}, grid, is_torus, random);
    }
  }
}

TEST(ExchangeBlocksTest, SendsLongRowsAndColumns) {
  lab::Random random;
  CheckExchangeBlocks({7, 20'001}, {3, 2}, true, random);
  CheckExchangeBlocks({20'001, 5}, {2, 3}, false, random);
}

void CheckOverlappedStep(Bands bands) {
  Parts parts = bands.Unfilled();
  Parts after;
  for (const std::size_t rows : bands.rows) after.emplace_back(rows * bands.columns, kUnset);
  overlapped_step(parts, after, bands.columns, bands.is_ring);
  EXPECT_EQ(OwnOf(parts, bands.columns), bands.Own()) << bands.Case() << ", own rows of the band";
  Step(bands);
  EXPECT_EQ(after, bands.Own()) << bands.Case();
}

TEST(OverlappedStepTest, MakesAStepForAnyRanksAndSizes) {
  lab::Random random;
  ForBands(random, CheckOverlappedStep);
}

TEST(OverlappedStepTest, SendsLongRows) {
  lab::Random random;
  CheckOverlappedStep(DrawBands(random, {3, 1, 2, 4}, 20'000, true));
}

// Makes the steps here, then there.
void CheckConverge(Bands bands, double tolerance, std::size_t most) {
  Parts parts = bands.Unfilled();
  Parts changes(bands.rows.size(), std::vector<double>(most, -1));
  const std::string which = bands.Case() + ", tolerance " + std::to_string(tolerance) +
                            ", at most " + std::to_string(most) + " steps";
  std::vector<double> expected(most, -1);
  std::size_t steps = 0;
  for (bool is_done = false; steps < most && !is_done; ++steps) {
    expected[steps] = Step(bands);
    is_done = expected[steps] <= tolerance;
  }
  EXPECT_EQ(converge(parts, bands.columns, bands.is_ring, tolerance, changes), steps) << which;
  EXPECT_EQ(changes, Parts(bands.rows.size(), expected)) << which;
  EXPECT_EQ(OwnOf(parts, bands.columns), bands.Own()) << which;
}

// The change of the step after which to stop.
double ChangeOf(Bands bands, std::size_t step) {
  double change = 0;
  for (std::size_t made = 0; made <= step; ++made) change = Step(bands);
  return change;
}

TEST(ConvergeTest, StopsInTheSameStepForAnyRanksAndSizes) {
  lab::Random random;
  ForBands(random, [&](const Bands& bands) {
    const auto step = static_cast<std::size_t>(random.UniformInt(0, 4));
    CheckConverge(bands, ChangeOf(bands, step), 6);
  });
}

TEST(ConvergeTest, MakesNoMoreStepsThanItMay) {
  lab::Random random;
  for (const std::size_t most : {0, 1, 2, 5}) {
    CheckConverge(DrawBands(random, {2, 1, 3}, 6, false), 0, most);
  }
}

TEST(ConvergeTest, StopsAfterTheFirstStepWithAnInfiniteTolerance) {
  lab::Random random;
  CheckConverge(DrawBands(random, {1, 2}, 6, true), std::numeric_limits<double>::infinity(), 3);
}

// Only one rank's cells change in the first steps.
TEST(ConvergeTest, GoesOnWhileOneRankChanges) {
  for (const std::size_t warm : {0, 2, 4}) {
    Bands bands{Sizes(5, 4), 6, false, std::vector<double>(22 * 6)};
    bands.cells[(4 * warm + 2) * 6 + 3] = -4096;
    CheckConverge(bands, 400, 9);
  }
}

TEST(ConvergeTest, StopsAtOnceWhereNothingChanges) {
  CheckConverge({Sizes(4, 2), 5, false, std::vector<double>(10 * 5, 2.5)}, 0, 3);
}

// What is counted.

TEST(ExchangeRowsCounted, FillsTheHaloOfEightBands) {
  lab::Random random;
  CheckExchangeRows(DrawBands(random, Sizes(8, 9), 100, true));
}

TEST(ExchangeBlocksCounted, FillsTheHaloOfEightBlocks) {
  lab::Random random;
  CheckExchangeBlocks({48, 192}, {2, 4}, true, random);
}

TEST(OverlappedStepCounted, MakesAStepInEightRanks) {
  lab::Random random;
  CheckOverlappedStep(DrawBands(random, Sizes(8, 12), 102, true));
}

TEST(ConvergeCounted, MakesTenStepsInEightRanks) {
  lab::Random random;
  CheckConverge(DrawBands(random, Sizes(8, 12), 100, false), 0, 10);
}

}  // namespace
