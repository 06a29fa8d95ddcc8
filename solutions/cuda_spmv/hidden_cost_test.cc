// What the simulator counts, always with matrices of the same sizes: thresholds in lab.toml are on
// these. And what is timed.

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/cuda_spmv/hidden_functions.h"

namespace spmv_test {
namespace {

// 16 entries in almost every row.
void ExpectBand(const Multiply& multiply) {
  lab::Random random;
  ExpectProduct(multiply, Band(random, 4099, 8, 7), random);
}

// 65,536 entries in 4,096 rows, always at the same places.
void ExpectPowerLaw(const Multiply& multiply) {
  lab::Random places(1);
  const CsrMatrix matrix = PowerLaw(places, 12, 16);
  lab::Random random;
  ExpectProduct(multiply, WithWholeNumbers(random, matrix), random);
}

TEST(MultiplyByThreadsCounted, MultipliesABand) { ExpectBand(kByThreads); }

TEST(MultiplyByWarpsCounted, MultipliesABroadBand) {
  lab::Random random;
  ExpectProduct(kByWarps, Band(random, 513, 128, 127), random);
}

TEST(BuildEllCounted, BuildsABand) {
  lab::Random random;
  const CsrMatrix matrix = Band(random, 4099, 8, 7);
  const sparse::EllMatrix want = sparse::ToEll(matrix);
  auto columns = lab::Poisoned<unsigned>(want.column_indices.size());
  Floats values = lab::Poisoned<float>(want.values.size());
  build_ell(matrix.row_pointers, matrix.column_indices, matrix.values, columns, values);
  lab::ExpectAllEqual(columns, want.column_indices);
  lab::ExpectAllEqual(values, want.values);
}

TEST(MultiplyEllCounted, MultipliesABand) { ExpectBand(kEll); }

TEST(MultiplyCooCounted, MultipliesABand) { ExpectBand(kCoo); }

TEST(MultiplyHybridCounted, MultipliesAPowerLawMatrix) { ExpectPowerLaw(HybridOfWidth(40)); }

TEST(MultiplyJaggedCounted, MultipliesAPowerLawMatrix) { ExpectPowerLaw(kJagged); }

// The longest row of a power-law matrix is a chain of its own: how parallel the others are does not
// show beside it.
TEST(MultiplyJaggedParallelCounted, MultipliesABand) { ExpectBand(kJagged); }

// The diagonals of the band.
TEST(MultiplyDiagonalsCounted, MultipliesABand) {
  lab::Random random;
  const auto matrix =
      Diagonals(random, 4099, 4099, {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7});
  ExpectProduct(ByDiagonals(matrix), sparse::ToCsr(matrix), random);
}

TEST(MultiplyByColumnsCounted, MultipliesABroadBand) {
  lab::Random random;
  ExpectProduct(kByColumns, Band(random, 513, 128, 127), random);
}

// 32 entries in most of 2,052 rows.
TEST(MultiplyBlocksCounted, MultipliesABandOfBlocks) {
  lab::Random random;
  const auto matrix = Blocks(random, sparse::Banded(513, 4, 3));
  ExpectProduct(ByBlocks(matrix), sparse::ToCsr(matrix), random);
}

// A power-law matrix of `rows` rows, a power of two, and 16 times as many entries. `convert` makes
// the layout, and `run` multiplies it by x.
template <typename Convert, typename Run>
void TimePowerLaw(const Convert& convert, const Run& run) {
  const std::size_t scale = std::bit_width(lab::TimedSize(1 << 15, 1 << 18)) - 1;
  const auto rows = static_cast<double>(std::size_t{1} << scale);
  // An entry is 8 bytes; pointers, x and y are 4 for each row.
  const lab::Work work{(16 * 8 + 3 * 4) * rows, 16 * 2 * rows};
  lab::RunTimedPairs(work, [=](lab::Random& random) -> std::function<void()> {
    const CsrMatrix matrix = PowerLaw(random, scale, 16);
    const auto layout = std::make_shared<std::decay_t<decltype(convert(matrix))>>(convert(matrix));
    const auto x = std::make_shared<Floats>(WholeNumbers(random, matrix.columns));
    const auto want = std::make_shared<ExpectedProduct>(Expected(matrix, *x));
    return [=] {
      Floats y = lab::Poisoned<float>(want->values.size());
      run(*layout, *x, y);
      lab::ExpectAllNear(y, want->values, std::span<const double>(want->tolerances));
    };
  });
}

TEST(MultiplyByWarpsTiming, MultipliesAPowerLawMatrix) {
  TimePowerLaw([](const CsrMatrix& matrix) { return matrix; }, kByWarps);
}

TEST(MultiplyJaggedTiming, MultipliesAPowerLawMatrix) {
  TimePowerLaw([](const CsrMatrix& matrix) { return sparse::ToJagged(matrix); }, CallJagged);
}

}  // namespace
}  // namespace spmv_test
