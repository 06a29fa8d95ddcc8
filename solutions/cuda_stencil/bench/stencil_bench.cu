// Times the reference's steps, and those of accepted solutions, beside a copy of all cells.
//
//   stencil_bench [edge]...      512 unless said, 3 to 1024: grids of edge x edge x edge cells
//
// All run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. A step counts 8 bytes a cell, one read and one
// write, as the copy does; four steps count four times as many. Every cell of every result is
// checked: cells and weights are whole numbers of which no sum rounds. Before that, two calls run
// at the same time on streams of their own.

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

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
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

using lab::Contender;
using lab::DeviceArray;

constexpr int kSteps = 4;
constexpr Weights kWeights = {2, -1, 3, 1, -2, 4, -1};  // after four steps still below 2^24

unsigned BlocksOf256(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }

// Whole numbers from -8 to 7.
__global__ void FillKernel(float* cells, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned x = static_cast<unsigned>(i) * 2654435761u;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  if (i < n) cells[i] = static_cast<float>(static_cast<int>(x >> 28) - 8);
}

// One step of a cube, without any of the ideas of the lab.
__global__ void PlainStepKernel(const float* in, float* out, int edge, Weights w) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t row = edge;
  const std::size_t slice = row * edge;
  if (i >= slice * edge) return;
  const auto is_inner = [edge](std::size_t at) {
    return at > 0 && at + 1 < static_cast<std::size_t>(edge);
  };
  out[i] = in[i];
  if (!is_inner(i % row) || !is_inner(i / row % row) || !is_inner(i / slice)) return;
  out[i] = w.c0 * in[i] + w.c1 * in[i - 1] + w.c2 * in[i + 1] + w.c3 * in[i - row] +
           w.c4 * in[i + row] + w.c5 * in[i - slice] + w.c6 * in[i + slice];
}

__global__ void CountWrongKernel(const float* got, const float* want, std::size_t n,
                                 unsigned* wrong) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(got[i] == want[i])) atomicAdd(wrong, 1u);
}

// A cube, and what one step and kSteps of them make of it.
struct Problem {
  explicit Problem(int of_edge)
      : edge(of_edge),
        n(std::size_t(edge) * edge * edge),
        in(n),
        out(n),
        scratch(n),
        after_one(n),
        after_all(n),
        count(1) {
    FillKernel<<<BlocksOf256(n), 256>>>(in.data(), n);
    PlainStep(in, after_one);
    PlainStep(after_one, out);
    PlainStep(out, scratch);
    PlainStep(scratch, after_all);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  void PlainStep(const DeviceArray<float>& from, const DeviceArray<float>& to) const {
    PlainStepKernel<<<BlocksOf256(n), 256>>>(from.data(), to.data(), edge, kWeights);
  }
  void Poison() const {
    out.Fill(0xff);
    scratch.Fill(0xff);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  bool IsRight(const DeviceArray<float>& want) const {
    count.Fill(0);
    CountWrongKernel<<<BlocksOf256(n), 256>>>(out.data(), want.data(), n, count.data());
    return count.First() == 0;
  }
  double Bytes(int steps) const { return 8.0 * static_cast<double>(n) * steps; }

  int edge;
  std::size_t n;
  DeviceArray<float> in, out, scratch, after_one, after_all;
  DeviceArray<unsigned> count;
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

Contender Copy(const Problem& on) {
  return {"cudaMemcpy, device to device", on.Bytes(1),
          [&on] {
            CUDA_CHECK(cudaMemcpyAsync(on.out.data(), on.in.data(), on.in.bytes(),
                                       cudaMemcpyDeviceToDevice, nullptr));
          },
          [&on] { return on.IsRight(on.in); }};
}

std::vector<Contender> OneStepContenders(const Problem& on) {
  std::vector<Contender> contenders = {Copy(on)};
  for (const auto& [name, step] : AllSteps(on.edge)) {
    contenders.push_back({name, on.Bytes(1),
                          [&on, step] { step(on, on.in.span(), on.out.span(), nullptr); },
                          [&on] { return on.IsRight(on.after_one); }});
  }
  return contenders;
}

std::vector<Contender> AllStepsContenders(const Problem& on) {
  const auto contender = [&on](const char* name, std::function<void()> run) {
    return Contender{name, on.Bytes(kSteps), std::move(run),
                     [&on] { return on.IsRight(on.after_all); }};
  };
  const auto single = [&](const char* name, Step step) {
    return contender(name, [&on, step = std::move(step)] { FourSingleSteps(step, on); });
  };
  const auto fused = [&](const char* name, StepsFunction function) {
    return contender(name, [&on, function] { AllAtOnce(function, on, nullptr); });
  };
  return {Copy(on), single("four times rows_of_four", By(rows_of_four::StencilSliced)),
          single("four times the reference's StencilSliced", By(StencilSliced)),
          fused("reference: StencilSteps", StencilSteps),
          fused("four_steps_in_registers: StencilSteps", four_steps::StencilSteps)};
}

// Two cubes at once, by one step and by four.
bool RunSideBySide() {
  const Problem left(160);
  const Problem right(131);
  const auto task = [](const Problem& on, const DeviceArray<float>& want,
                       std::function<void(const Problem&, cudaStream_t)> run) {
    return lab::StreamTask{[&on] { on.Poison(); },
                           [&on, run = std::move(run)](cudaStream_t stream) { run(on, stream); },
                           [&on, &want] { return on.IsRight(want); }};
  };
  for (const auto& [name, step] : AllSteps(1)) {
    const auto run = [&step = step](const Problem& on, cudaStream_t stream) {
      step(on, on.in.span(), on.out.span(), stream);
    };
    if (!lab::RunSideBySide(name, task(left, left.after_one, run),
                            task(right, right.after_one, run), 20)) {
      return false;
    }
  }
  for (const StepsFunction function : {StencilSteps, four_steps::StencilSteps}) {
    const auto run = [function](const Problem& on, cudaStream_t stream) {
      AllAtOnce(function, on, stream);
    };
    if (!lab::RunSideBySide("four steps", task(left, left.after_all, run),
                            task(right, right.after_all, run), 20)) {
      return false;
    }
  }
  return true;
}

// Rates are of bytes a step would have to move: the first one's is the copy's.
bool Run(std::vector<Contender> contenders, const Problem& on) {
  if (!lab::RunContest(contenders, [&on] { on.Poison(); })) return false;
  std::printf("\n| %-40s | %8s | %8s | %7s |\n", "what", "ms", "GB/s", "of copy");
  std::printf("| ---------------------------------------- | -------: | -------: | ------: |\n");
  const double copy = contenders.front().Rate();
  for (const Contender& contender : contenders) {
    std::printf("| %-40s | %8.4f | %8.1f | %7.3f |\n", contender.name.c_str(), contender.Median(),
                contender.Rate(), contender.Rate() / copy);
  }
  return true;
}

bool Run(int edge) {
  const Problem problem(edge);
  std::printf("\n%d x %d x %d cells, medians of %d: one step, then four\n", edge, edge, edge,
              lab::kContestRounds);
  return Run(OneStepContenders(problem), problem) && Run(AllStepsContenders(problem), problem);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> edges;
  for (int i = 1; i < argc; ++i) edges.push_back(std::atoi(argv[i]));
  if (edges.empty()) edges = {512};
  if (std::any_of(edges.begin(), edges.end(), [](int e) { return e < 3 || e > 1024; })) {
    std::fprintf(stderr, "usage: %s [edge, 3 to 1024]...\n", argv[0]);
    return 2;
  }
  try {
    std::printf("%s\n", lab::Machine().c_str());
    if (!RunSideBySide()) return 1;
    for (const int edge : edges) {
      if (!Run(edge)) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
