// What the simulator counts, on the size that lab.toml's thresholds are for, and what is timed.

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/cuda_stencil/stencil.h"
#include "solutions/cuda_stencil/hidden_grid.h"

namespace cuda_stencil {
namespace cost_test {

const lab::Function<decltype(Stencil)> stencil{"Stencil"};
const lab::Function<decltype(StencilTiled)> stencil_tiled{"StencilTiled"};
const lab::Function<decltype(StencilSliced)> stencil_sliced{"StencilSliced"};
const lab::Function<decltype(StencilSteps)> stencil_steps{"StencilSteps"};

// One step by `function`.
template <typename F>
auto OneStepBy(const F& function) {
  return [&function](const Problem& problem, Floats& out, Floats&) {
    const auto [width, height, depth] = problem.size;
    function(problem.in, out, width, height, depth, problem.weights);
  };
}

void AllSteps(const Problem& problem, Floats& out, Floats& scratch) {
  const auto [width, height, depth] = problem.size;
  stencil_steps(problem.in, out, scratch, width, height, depth, problem.weights, problem.steps);
}

// Rows of whole sectors: the cells lie in 30,720 of them.
constexpr Size kCounted = {128, 48, 40};

template <typename Step>
void Count(const Step& step, int steps) {
  lab::Random random;
  const Problem problem = WholeProblem(kCounted, random, steps);
  Floats scratch = lab::Poisoned<float>(steps > 1 ? kCounted.cells() : 0);
  ExpectExactCells([&](const Problem& given, Floats& out) { step(given, out, scratch); }, problem);
}

TEST(StencilCounted, StepsOverWholeBlocks) { Count(OneStepBy(stencil), 1); }

TEST(StencilTiledCounted, StepsOverWholeBlocks) { Count(OneStepBy(stencil_tiled), 1); }

TEST(StencilSlicedCounted, StepsOverWholeBlocks) { Count(OneStepBy(stencil_sliced), 1); }

TEST(StencilStepsCounted, MakesFourStepsOverWholeBlocks) { Count(AllSteps, 4); }

// Some ten milliseconds of work; all sums are exact.
template <typename Step>
void Time(const Step& step, const Size& size, int steps) {
  const double cells = static_cast<double>(size.cells());
  const lab::Work work{2 * sizeof(float) * cells, 13 * cells * steps};
  lab::RunTimedPairs(work, [step, size, steps](lab::Random& random) -> std::function<void()> {
    struct Case {
      Problem problem;
      Floats want;
    };
    const auto data = std::make_shared<Case>();
    data->problem = WholeProblem(size, random, steps);
    const Doubles want = ExactCells(data->problem);
    data->want.assign(want.begin(), want.end());
    return [data, step, steps, cells = size.cells()] {
      Floats out = lab::Poisoned<float>(cells);
      Floats scratch = lab::Poisoned<float>(steps > 1 ? cells : 0);
      step(data->problem, out, scratch);
      lab::ExpectAllEqual(out, data->want);
    };
  });
}

// On a GPU more cells, as many as the host can still check.
Size TimedCells(const Size& size, const Size& on_gpu) {
  const auto side = [](int n, int of_gpu) { return static_cast<int>(lab::TimedSize(n, of_gpu)); };
  return {side(size.width, on_gpu.width), side(size.height, on_gpu.height),
          side(size.depth, on_gpu.depth)};
}

TEST(StencilTiming, StepsOverWholeBlocks) {
  Time(OneStepBy(stencil), TimedCells({128, 96, 96}, {512, 288, 192}), 1);
}

TEST(StencilSlicedTiming, StepsOverWholeBlocks) {
  Time(OneStepBy(stencil_sliced), TimedCells({128, 96, 64}, {512, 288, 192}), 1);
}

TEST(StencilStepsTiming, MakesFourSteps) {
  Time(AllSteps, TimedCells({128, 64, 64}, {512, 192, 128}), 4);
}

}  // namespace cost_test
}  // namespace cuda_stencil
