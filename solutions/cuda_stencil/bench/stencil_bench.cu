// Compares steps with a copy of all cells.
//
//   stencil_bench [edge]...      512 unless said: grids of edge x edge x edge cells
//
// A step counts 8 bytes a cell, one read and one write, as the copy does; four steps count four
// times as many. Every cell of every result is checked: cells and weights are whole numbers of
// which no sum rounds.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/benchmark/device.h"
#include "common/benchmark/device_loops.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_stencil/stencil.h"

// All that these include is included already.
namespace four_steps {
#include "solutions/cuda_stencil/accepted/four_steps_in_registers.cu"
}
namespace rows_of_four {
#include "solutions/cuda_stencil/accepted/rows_of_four_in_registers.cu"
}
namespace shuffles {
#include "solutions/cuda_stencil/accepted/shuffles_in_x.cu"
}
namespace two_buffers {
#include "solutions/cuda_stencil/accepted/two_buffers_one_barrier.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;

constexpr int kSteps = 4;
constexpr Weights kWeights = {2, -1, 3, 1, -2, 4, -1};  // after four steps still below 2^24

// Whole numbers from -8 to 7.
struct SetCell {
  float* cells;
  __device__ void operator()(std::size_t i) const {
    cells[i] = static_cast<float>(static_cast<int>(lab::AnyWord(i) >> 28) - 8);
  }
};

// One step of a cube, without any of the ideas of the lab.
struct PlainStepAt {
  const float* in;
  float* out;
  std::size_t edge;
  Weights w;
  __device__ bool IsInner(std::size_t at) const { return at > 0 && at + 1 < edge; }
  __device__ void operator()(std::size_t i) const {
    const std::size_t row = edge;
    const std::size_t slice = row * edge;
    out[i] = in[i];
    if (!IsInner(i % row) || !IsInner(i / row % row) || !IsInner(i / slice)) return;
    out[i] = w.c0 * in[i] + w.c1 * in[i - 1] + w.c2 * in[i + 1] + w.c3 * in[i - row] +
             w.c4 * in[i + row] + w.c5 * in[i - slice] + w.c6 * in[i + slice];
  }
};

// A cube, and what one step and kSteps of them make of it.
struct Problem {
  explicit Problem(int of_edge)
      : edge(of_edge),
        n(std::size_t(edge) * edge * edge),
        in(n),
        out(n),
        scratch(n),
        after_one(n),
        after_all(n) {
    lab::ForEach(n, SetCell{in.data()});
    PlainStep(in, after_one);
    PlainStep(after_one, out);
    PlainStep(out, scratch);
    PlainStep(scratch, after_all);
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  void PlainStep(const DeviceArray<float>& from, const DeviceArray<float>& to) const {
    lab::ForEach(n, PlainStepAt{from.data(), to.data(), std::size_t(edge), kWeights});
  }
  void Poison() const {
    out.Fill(0xff);
    scratch.Fill(0xff);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  bool IsRight(const DeviceArray<float>& want) const {
    return lab::AllOf(n, lab::IsSame<float>{out.data(), want.data()});
  }
  double Bytes(int steps) const { return 8.0 * static_cast<double>(n) * steps; }

  int edge;
  std::size_t n;
  DeviceArray<float> in, out, scratch, after_one, after_all;
};

// One step from a span to another.
using Step =
    std::function<void(const Problem&, DeviceSpan<const float>, DeviceSpan<float>, cudaStream_t)>;
using StepFunction = void (*)(DeviceSpan<const float>, DeviceSpan<float>, int, int, int, Weights,
                              cudaStream_t);
using StepsFunction = void (*)(DeviceSpan<const float>, DeviceSpan<float>, DeviceSpan<float>, int,
                               int, int, Weights, int, cudaStream_t);

Step By(StepFunction function) {
  return [function](const Problem& on, DeviceSpan<const float> in, DeviceSpan<float> out,
                    cudaStream_t stream) {
    function(in, out, on.edge, on.edge, on.edge, kWeights, stream);
  };
}

// The kernel of rows_of_four for any number of rows a warp, whatever the size. Rows are a multiple
// of four cells.
template <int kRows>
Step ByRows() {
  return [](const Problem& on, DeviceSpan<const float> in, DeviceSpan<float> out,
            cudaStream_t stream) {
    const rows_of_four::Grid grid{on.edge, on.edge, on.edge};
    rows_of_four::StepByRows<kRows>(in.data(), out.data(), grid, kWeights, stream);
  };
}

struct NamedStep {
  const char* name;
  Step step;
};

std::vector<NamedStep> AllSteps(int edge) {
  std::vector<NamedStep> all = {
      {"reference: Stencil", By(Stencil)},
      {"reference: StencilTiled", By(StencilTiled)},
      {"reference: StencilSliced", By(StencilSliced)},
      {"shuffles_in_x: StencilSliced", By(shuffles::StencilSliced)},
      {"two_buffers_one_barrier: StencilSliced", By(two_buffers::StencilSliced)},
      {"rows_of_four: StencilSliced", By(rows_of_four::StencilSliced)},
  };
  if (edge % 4 != 0) return all;
  all.push_back({"rows_of_four, 2 rows a warp", ByRows<2>()});
  all.push_back({"rows_of_four, 4 rows a warp", ByRows<4>()});
  return all;
}

void FourSingleSteps(const Step& step, const Problem& on) {
  step(on, on.in.span(), on.scratch.span(), nullptr);
  step(on, on.scratch.span(), on.out.span(), nullptr);
  step(on, on.out.span(), on.scratch.span(), nullptr);
  step(on, on.scratch.span(), on.out.span(), nullptr);
}

void AllAtOnce(StepsFunction function, const Problem& on, cudaStream_t stream) {
  function(on.in.span(), on.out.span(), on.scratch.span(), on.edge, on.edge, on.edge, kWeights,
           kSteps, stream);
}

Candidate Copy(const Problem& on) {
  return lab::DeviceCopy(on.out.data(), on.in.data(), on.in.bytes(),
                         [&on] { return on.IsRight(on.in); });
}

std::vector<Candidate> OneStep(const Problem& on) {
  std::vector<Candidate> candidates = {Copy(on)};
  for (const auto& [name, step] : AllSteps(on.edge)) {
    candidates.push_back({name, on.Bytes(1),
                          [&on, step = step] { step(on, on.in.span(), on.out.span(), nullptr); },
                          [&on] { return on.IsRight(on.after_one); }});
  }
  return candidates;
}

std::vector<Candidate> FourSteps(const Problem& on) {
  const auto entry = [&on](const char* name, std::function<void()> run) {
    return Candidate{name, on.Bytes(kSteps), std::move(run),
                     [&on] { return on.IsRight(on.after_all); }};
  };
  const auto single = [&](const char* name, Step step) {
    return entry(name, [&on, step = std::move(step)] { FourSingleSteps(step, on); });
  };
  const auto fused = [&](const char* name, StepsFunction function) {
    return entry(name, [&on, function] { AllAtOnce(function, on, nullptr); });
  };
  return {Copy(on), single("four times rows_of_four", By(rows_of_four::StencilSliced)),
          single("four times the reference's StencilSliced", By(StencilSliced)),
          fused("reference: StencilSteps", StencilSteps),
          fused("four_steps_in_registers: StencilSteps", four_steps::StencilSteps)};
}

bool Run(std::size_t edge) {
  const Problem on(static_cast<int>(edge));
  const auto poison = [&on] { on.Poison(); };
  const std::string size = ", " + std::to_string(edge) + "^3 cells";
  return lab::CompareOnDevice("one step" + size, OneStep(on), poison) &&
         lab::CompareOnDevice("four steps" + size, FourSteps(on), poison);
}

}  // namespace

int main(int argc, char** argv) { return lab::RunSizes(argc, argv, {"edge", 3, 1024, {512}}, Run); }
