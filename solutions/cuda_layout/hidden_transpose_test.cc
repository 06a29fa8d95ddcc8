// The hidden test of the lab "Data movement on a GPU": both transposes.

#include <gtest/gtest.h>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_layout/hidden_inputs.h"

namespace layout_test::transpose_test {

const lab::Function<decltype(Transpose)> transpose{"Transpose"};
const lab::Function<decltype(TransposeSwizzled)> transpose_swizzled{"TransposeSwizzled"};

using Floats = std::vector<float>;
using Matrix = std::function<void(const Floats& in, Floats& out, int rows, int columns)>;

// Whole numbers, of which no two neighbours are equal.
Floats SomeNumbers(lab::Random& random, std::size_t n) {
  const auto first = random.UniformInt<std::uint32_t>(0, 1 << 20);
  Floats numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>((first + i) % 16'777'213);
  return numbers;
}

void ExpectTransposed(const Matrix& function, lab::Random& random, int rows, int columns,
                      float before = lab::PoisonValue<float>()) {
  const Floats in = SomeNumbers(random, std::size_t(rows) * columns);
  Floats want(in.size());
  for (std::size_t row = 0; row < std::size_t(rows); ++row) {
    for (std::size_t column = 0; column < std::size_t(columns); ++column) {
      want[column * rows + row] = in[row * columns + column];
    }
  }
  Floats out(in.size(), before);
  function(in, out, rows, columns);
  SCOPED_TRACE("with " + std::to_string(rows) + " rows and " + std::to_string(columns) +
               " columns");
  lab::ExpectAllEqual(out, want);
}

struct Form {
  Matrix transpose;
  Matrix with_failing_calls;
};

// Both have the same contract but for the tile, which is counted.
struct TransposesTest : testing::TestWithParam<Form> {
  void Expect(int rows, int columns) {
    ExpectTransposed(GetParam().transpose, random, rows, columns);
  }
  lab::Random random;
};

TEST_P(TransposesTest, TakesTwoTilesAndParts) { Expect(45, 70); }

TEST_P(TransposesTest, TakesAllShapesOfUpToThreeTimesThree) {
  for (int rows = 0; rows <= 3; ++rows) {
    for (int columns = 0; columns <= 3 && !HasFailure(); ++columns) Expect(rows, columns);
  }
}

TEST_P(TransposesTest, TakesShapesThatEndWithTiles) {
  constexpr int kSides[] = {1, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65};
  for (const int rows : kSides) {
    for (const int columns : kSides) {
      Expect(rows, columns);
      if (HasFailure()) return;
    }
  }
}

TEST_P(TransposesTest, TakesASingleRowAndASingleColumn) {
  for (const int n : {1, 100, 1000, 4097}) {
    Expect(1, n);
    Expect(n, 1);
    if (HasFailure()) return;
  }
}

TEST_P(TransposesTest, TakesNoRowsAndNoColumns) {
  Expect(0, 0);
  Expect(0, 1000);
  Expect(1000, 0);
}

TEST_P(TransposesTest, TakesTheLongestSides) {
  const int longest = 1 << 19;
  const auto side = static_cast<int>(lab::Scaled(longest));
  Expect(side, 1);
  Expect(1, side);
}

TEST_P(TransposesTest, OverwritesWhatTheResultHeld) {
  for (const float before : {0.0f, -1.0f, 3e38f}) {
    ExpectTransposed(GetParam().transpose, random, 40, 50, before);
  }
}

TEST_P(TransposesTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    Expect(random.UniformInt(0, 80), random.UniformInt(0, 80));
  }
}

TEST_P(TransposesTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Expect(60, 100);
  });
}

TEST_P(TransposesTest, ThrowsWhenARuntimeCallFails) {
  ExpectTransposed(GetParam().with_failing_calls, random, 40, 50);
}

template <typename F>
Matrix By(const F& function) {
  return [function](const Floats& in, Floats& out, int rows, int columns) {
    function(in, out, rows, columns);
  };
}

template <typename F>
Form FormOf(const F& function) {
  return {By(function), By(lab::WithFailingCalls(function))};
}

INSTANTIATE_TEST_SUITE_P(TransposeTest, TransposesTest, testing::Values(FormOf(transpose)));
INSTANTIATE_TEST_SUITE_P(TransposeSwizzledTest, TransposesTest,
                         testing::Values(FormOf(transpose_swizzled)));

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
TEST(TransposeCounted, TakesAHundredThousandNumbers) {
  lab::Random random;
  ExpectTransposed(By(transpose), random, 256, 512);
}

TEST(TransposeSwizzledCounted, TakesAHundredThousandNumbers) {
  lab::Random random;
  ExpectTransposed(By(transpose_swizzled), random, 256, 512);
}

}  // namespace layout_test::transpose_test
