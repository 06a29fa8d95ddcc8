// The hidden test of the lab "Sparse matrix times vector": matrices in diagonals and in blocks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_spmv/hidden_functions.h"

namespace spmv_test {
namespace {

using Offsets = std::vector<std::int32_t>;

// A matrix of one of the two layouts, as that and in CSR.
struct Shaped {
  Multiply multiply;
  CsrMatrix csr;
};

// Makes a matrix of about so many rows and columns, whose values `draw` gives.
struct Layout {
  std::string name;
  std::function<Shaped(lab::Random&, std::size_t rows, std::size_t columns,
                       const std::function<float()>& draw)>
      make;
};

// Up to nine diagonals, the two at the corners among them.
Shaped ShapedDiagonals(lab::Random& random, std::size_t rows, std::size_t columns,
                       const std::function<float()>& draw) {
  const auto last = static_cast<std::int32_t>(columns) - 1;
  const auto first = 1 - static_cast<std::int32_t>(rows);
  Offsets offsets;
  if (rows > 0 && columns > 0) {
    offsets = {first, first / 2, -3, -1, 0, 1, 2, last / 2, last};
    for (std::int32_t& offset : offsets) offset = std::clamp(offset, first, last);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  }
  const auto matrix =
      std::make_shared<sparse::DiagonalMatrix>(Diagonals(random, rows, columns, offsets));
  for (float& value : matrix->values) {
    if (!std::isnan(value)) value = draw();
  }
  return {
      [matrix](const CsrMatrix& a, const Floats& x, Floats& y) { ByDiagonals (*matrix)(a, x, y); },
      sparse::ToCsr(*matrix)};
}

// None to five blocks in a block row, and many in the last but one.
Shaped ShapedBlocks(lab::Random& random, std::size_t rows, std::size_t columns,
                    const std::function<float()>& draw) {
  const std::size_t block_rows = (rows + kBlockEdge - 1) / kBlockEdge;
  const std::size_t block_columns = (columns + kBlockEdge - 1) / kBlockEdge;
  Lengths lengths(block_rows);
  for (std::size_t& length : lengths) {
    length = block_columns > 0 ? random.UniformInt<std::size_t>(0, 5) : 0;
  }
  if (block_rows > 1 && block_columns > 0) lengths[block_rows - 2] = 40;
  const auto matrix = std::make_shared<sparse::BlockMatrix>(
      Blocks(random, OfLengths(random, lengths, block_columns)));
  for (float& value : matrix->values) value = draw();
  return {[matrix](const CsrMatrix& a, const Floats& x, Floats& y) { ByBlocks (*matrix)(a, x, y); },
          sparse::ToCsr(*matrix)};
}

class ShapeTest : public testing::TestWithParam<Layout> {
 protected:
  Shaped Make(std::size_t rows, std::size_t columns) {
    return GetParam().make(random_, rows, columns,
                           [&] { return static_cast<float>(random_.UniformInt(-7, 7)); });
  }
  void Expect(std::size_t rows, std::size_t columns) {
    const Shaped shaped = Make(rows, columns);
    ExpectProduct(shaped.multiply, shaped.csr, random_);
  }

  lab::Random random_;
};

TEST_P(ShapeTest, MultipliesASmallMatrix) { Expect(8, 12); }

TEST_P(ShapeTest, MultipliesAnyNumberOfRowsAtWarpAndBlockEdges) {
  for (const std::size_t width : {4, 32, 256}) {
    for (const std::size_t rows : lab::EdgeSizes(width)) {
      if (HasFailure()) return;
      Expect(rows, rows + 1);
    }
  }
}

TEST_P(ShapeTest, MultipliesWideAndTallMatrices) {
  Expect(8, 5000);
  Expect(5000, 8);
  Expect(1, 300);
  Expect(300, 1);
}

TEST_P(ShapeTest, MultipliesNoRows) {
  Expect(0, 0);
  Expect(0, 50);
}

TEST_P(ShapeTest, GivesZeroWithoutColumns) { Expect(300, 0); }

// What y held must not matter.
TEST_P(ShapeTest, OverwritesWhatTheResultHeld) {
  const Shaped shaped = Make(500, 300);
  const Floats x = WholeNumbers(random_, shaped.csr.columns);
  for (const float before : {1000.0f, 0.0f, kInfinity}) {
    ExpectProduct(shaped.multiply, shaped.csr, x, Floats(shaped.csr.rows, before));
  }
}

// Only what a row names, zeros as well, reaches it.
TEST_P(ShapeTest, FollowsIeee754ForSpecialValues) {
  const Shaped shaped = Make(60, 80);
  for (const float special : {kInfinity, -kInfinity, kNotANumber}) {
    Floats x = WholeNumbers(random_, shaped.csr.columns);
    x[random_.UniformInt<std::size_t>(0, x.size() - 1)] = special;
    ExpectProduct(shaped.multiply, shaped.csr, x);
  }
}

TEST_P(ShapeTest, StaysWithinTheErrorBound) {
  for (const int largest : {0, 30}) {
    const Shaped shaped = GetParam().make(random_, 300, 200, [&] {
      return std::ldexp(random_.Floats(1, -1, 1)[0], random_.UniformInt(-largest, largest));
    });
    ExpectProduct(shaped.multiply, shaped.csr, random_.Floats(shaped.csr.columns, -1, 1));
  }
}

TEST_P(ShapeTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 10 && !HasFailure(); ++call) {
    Expect(random_.UniformInt<std::size_t>(0, 600), 300);
  }
}

TEST_P(ShapeTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  const Shaped shaped = Make(500, 300);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectProduct(shaped.multiply, shaped.csr, random_);
  });
}

TEST_P(ShapeTest, MultipliesALargeMatrix) { Expect(lab::Scaled(60'000) + 1, 1000); }

TEST_P(ShapeTest, ThrowsWhenARuntimeCallFails) {
  const Shaped shaped = Make(300, 100);
  ExpectProduct(lab::WithFailingCalls(shaped.multiply), shaped.csr, random_);
}

INSTANTIATE_TEST_SUITE_P(MultiplyDiagonalsTest, ShapeTest,
                         testing::Values(Layout{"Dia", ShapedDiagonals}),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(MultiplyBlocksTest, ShapeTest,
                         testing::Values(Layout{"Bcsr", ShapedBlocks}),
                         [](const auto& info) { return info.param.name; });

TEST(MultiplyDiagonalsTest, GivesZeroWithoutDiagonals) {
  lab::Random random;
  const auto matrix = Diagonals(random, 300, 40, {});
  ExpectProduct(ByDiagonals(matrix), sparse::ToCsr(matrix), random);
}

}  // namespace
}  // namespace spmv_test
