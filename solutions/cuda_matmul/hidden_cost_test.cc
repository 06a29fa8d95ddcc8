// What the simulator counts, on sizes that lab.toml's thresholds are for, and what is timed.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/cuda_matmul/hidden_product.h"

namespace cuda_matmul::cost_test {

TEST(MatMulCounted, MultipliesWholeBlocks) {
  lab::Random random;
  ExpectProduct(With(mat_mul), AnyProblem({64, 48, 96}, random));
}

// Few steps along k: a block's memory traffic is mostly its own elements of C.
TEST(MatMulBlocksCounted, SharesTheElementsOut) {
  lab::Random random;
  ExpectProduct(With(mat_mul), AnyProblem({128, 8, 256}, random));
}

TEST(MatMulTiledSquareCounted, MultipliesWholeTiles) {
  lab::Random random;
  const Problem problem = AnyProblem({128, 128, 128}, random);
  Floats c = lab::Poisoned<float>(problem.shape.OfC());
  mat_mul_tiled_square(problem.a, problem.b, c, problem.shape.n);
  ExpectNear(c, ExpectedOf(problem));
}

TEST(MatMulTiledCounted, MultipliesPartsOfTiles) {
  lab::Random random;
  ExpectProduct(With(mat_mul_tiled), AnyProblem({135, 75, 119}, random));
}

TEST(MatMulRegisterTiledCounted, MultipliesSeveralBlocks) {
  lab::Random random;
  ExpectProduct(With(mat_mul_register_tiled), AnyProblem({128, 64, 256}, random));
}

TEST(MatMulRegisterTiledBlocksCounted, SharesTheElementsOut) {
  lab::Random random;
  ExpectProduct(With(mat_mul_register_tiled), AnyProblem({512, 8, 1024}, random));
}

// Small whole numbers, four from each number of the stream.
Floats FastNumbers(lab::Random& random, std::size_t n) {
  Floats values(n);
  for (std::size_t i = 0; i < n;) {
    std::uint64_t bits = random.Next();
    for (int part = 0; part < 4 && i < n; ++part, bits >>= 16) {
      values[i++] = static_cast<float>(bits & 0xff) - 128;
    }
  }
  return values;
}

// Some ten milliseconds of work; all sums are exact.
template <typename F>
void Time(const F& function, const Shape& shape) {
  const lab::Work work{1.0 * sizeof(float) * (shape.OfA() + shape.OfB() + shape.OfC()),
                       2.0 * shape.OfC() * shape.k};
  lab::RunTimedPairs(work, [&function, shape](lab::Random& random) -> std::function<void()> {
    struct Case {
      Problem problem;
      Floats want;
    };
    const auto data = std::make_shared<Case>();
    data->problem = {shape, FastNumbers(random, shape.OfA()), FastNumbers(random, shape.OfB())};
    const auto want = ProductOf(data->problem, [](double x) { return x; });
    data->want.assign(want.begin(), want.end());
    return [data, &function] {
      Floats c = lab::Poisoned<float>(data->want.size());
      With(function)(data->problem, c);
      lab::ExpectAllEqual(c, data->want);
    };
  });
}

// On a GPU several times each side, and what the host can still check.
Shape TimedShape(const Shape& shape, int times) {
  const auto side = [times](int n) { return static_cast<int>(lab::TimedSize(n, n * times)); };
  return {side(shape.m), side(shape.k), side(shape.n)};
}

TEST(MatMulTiming, MultipliesWholeBlocks) { Time(mat_mul, TimedShape({256, 192, 256}, 4)); }

TEST(MatMulTiledTiming, MultipliesPartsOfTiles) {
  Time(mat_mul_tiled, TimedShape({250, 200, 270}, 4));
}

TEST(MatMulRegisterTiledTiming, MultipliesWholeBlocks) {
  Time(mat_mul_register_tiled, TimedShape({256, 256, 256}, 5));
}

}  // namespace cuda_matmul::cost_test
