// Times the reference's convolutions, and those of accepted solutions, beside a copy of the image.
//
//   convolution_bench [edge]...      4096 unless said, 1 to 16384: images of edge x edge pixels
//
// All of a table run in turn, 21 times after three rounds of warming up; each time is that of CUDA
// events around one call, the copy of the mask included, and the medians are compared. GB/s counts
// 8 bytes a pixel, one read and one write, as the copy does; GFLOP/s counts two operations for each
// weight that the contract's sums have, in part 4 those of both passes. Every pixel of every result
// is checked: pixels and weights are whole numbers of which no sum rounds.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
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
#include "labs/cuda_convolution/convolution.h"

// All that these include is included already.
namespace eight_pixels {
#include "solutions/cuda_convolution/accepted/eight_pixels_a_thread.cu"
}
namespace known_radius {
#include "solutions/cuda_convolution/accepted/radius_known_to_the_compiler.cu"
}
namespace tiled_passes {
#include "solutions/cuda_convolution/accepted/tiles_in_both_passes.cu"
}

namespace {

using lab::Contender;
using lab::DeviceArray;

unsigned BlocksOf256(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }

// Whole numbers from -2 to 1: sums of up to 2^20 products stay exact.
__global__ void FillKernel(float* values, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned x = static_cast<unsigned>(i) * 2654435761u;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  if (i < n) values[i] = static_cast<float>(static_cast<int>(x >> 30) - 2);
}

// A convolution of a square image, without any of the ideas of the lab.
__global__ void PlainKernel(const float* in, const float* mask, float* out, int edge, int radius_x,
                            int radius_y) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int x = static_cast<int>(i % edge);
  const int y = static_cast<int>(i / edge);
  if (y >= edge) return;
  float sum = 0;
  for (int dy = -radius_y; dy <= radius_y; ++dy) {
    for (int dx = -radius_x; dx <= radius_x; ++dx, ++mask) {
      if (x + dx < 0 || x + dx >= edge || y + dy < 0 || y + dy >= edge) continue;
      sum += *mask * in[static_cast<std::size_t>(y + dy) * edge + x + dx];
    }
  }
  out[i] = sum;
}

__global__ void CountWrongKernel(const float* got, const float* want, std::size_t n,
                                 unsigned* wrong) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(got[i] == want[i])) atomicAdd(wrong, 1u);
}

enum class Form { kSquare, kTwoPasses };

// An image, and what its mask makes of it.
struct Problem {
  Problem(int of_edge, int of_radius, Form form)
      : edge(of_edge),
        radius(of_radius),
        side(2 * std::size_t(of_radius) + 1),
        n(std::size_t(edge) * edge),
        in(n),
        out(n),
        scratch(n),
        want(n),
        mask(form == Form::kSquare ? side * side : 2 * side),
        count(1) {
    FillKernel<<<BlocksOf256(n), 256>>>(in.data(), n);
    FillKernel<<<BlocksOf256(mask.size()), 256>>>(mask.data(), mask.size());
    if (form == Form::kSquare) {
      Plain(in, mask.data(), want, radius, radius);
    } else {
      Plain(in, mask.data(), scratch, radius, 0);
      Plain(scratch, mask.data() + side, want, 0, radius);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  void Plain(const DeviceArray<float>& from, const float* weights, const DeviceArray<float>& to,
             int radius_x, int radius_y) const {
    PlainKernel<<<BlocksOf256(n), 256>>>(from.data(), weights, to.data(), edge, radius_x, radius_y);
  }
  void Poison() const {
    out.Fill(0xff);
    scratch.Fill(0xff);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  bool IsRight(const DeviceArray<float>& expected) const {
    count.Fill(0);
    CountWrongKernel<<<BlocksOf256(n), 256>>>(out.data(), expected.data(), n, count.data());
    return count.First() == 0;
  }
  double Bytes() const { return 8.0 * static_cast<double>(n); }
  double Operations() const {
    return 2.0 * static_cast<double>(n) * static_cast<double>(mask.size());
  }
  Contender By(std::string name, std::function<void()> run) const {
    return {std::move(name), Bytes(), std::move(run), [this] { return IsRight(want); }};
  }

  int edge, radius;
  std::size_t side;
  std::size_t n;
  DeviceArray<float> in, out, scratch, want, mask;
  DeviceArray<unsigned> count;
};

Contender Copy(const Problem& on) {
  return {"cudaMemcpy, device to device", on.Bytes(),
          [&on] {
            CUDA_CHECK(cudaMemcpyAsync(on.out.data(), on.in.data(), on.in.bytes(),
                                       cudaMemcpyDeviceToDevice, nullptr));
          },
          [&on] { return on.IsRight(on.in); }};
}

using Square = void (*)(DeviceSpan<const float>, DeviceSpan<const float>, DeviceSpan<float>, int,
                        int, int, cudaStream_t);
using Separable = void (*)(DeviceSpan<const float>, DeviceSpan<const float>,
                           DeviceSpan<const float>, DeviceSpan<float>, DeviceSpan<float>, int, int,
                           int, cudaStream_t);
using Large = void (*)(DeviceSpan<const float>, DeviceSpan<const float>, DeviceSpan<float>, int,
                       int, int, int, cudaStream_t);

Contender By(const char* name, Square function, const Problem& on) {
  return on.By(name, [&on, function] {
    function(on.in.span(), on.mask.span(), on.out.span(), on.edge, on.edge, on.radius, nullptr);
  });
}

Contender By(const char* name, Separable function, const Problem& on) {
  return on.By(name, [&on, function] {
    const DeviceSpan<float> masks = on.mask.span();
    function(on.in.span(), masks.subspan(0, on.side), masks.subspan(on.side, on.side),
             on.out.span(), on.scratch.span(), on.edge, on.edge, on.radius, nullptr);
  });
}

Contender By(const char* name, Large function, const Problem& on) {
  return on.By(name, [&on, function] {
    function(on.in.span(), on.mask.span(), on.out.span(), on.edge, on.edge, on.radius, on.radius,
             nullptr);
  });
}

// Rates are of bytes that must move: the first one's is the copy's.
bool Run(const char* title, std::vector<Contender> contenders, const Problem& on) {
  if (!lab::RunContest(contenders, [&on] { on.Poison(); })) return false;
  std::printf("\n%s, %d x %d pixels, radius %d, medians of %d\n\n", title, on.edge, on.edge,
              on.radius, lab::kContestRounds);
  std::printf("| %-44s | %8s | %8s | %7s | %8s |\n", "what", "ms", "GB/s", "of copy", "GFLOP/s");
  std::printf(
      "| -------------------------------------------- "
      "| -------: | -------: | ------: | -------: |\n");
  const double copy = contenders.front().Rate();
  for (const Contender& contender : contenders) {
    const bool is_copy = &contender == &contenders.front();
    std::printf("| %-44s | %8.4f | %8.1f | %7.3f | %8.0f |\n", contender.name.c_str(),
                contender.Median(), contender.Rate(), contender.Rate() / copy,
                is_copy ? 0.0 : on.Operations() / contender.Median() * 1e-6);
  }
  return true;
}

bool RunSquare(int edge, int radius) {
  const Problem on(edge, radius, Form::kSquare);
  return Run("parts 1 to 3",
             {Copy(on), By("reference: Convolve", Convolve, on),
              By("reference: ConvolveTiled", ConvolveTiled, on),
              By("reference: ConvolveCached", ConvolveCached, on),
              By("radius_known_to_the_compiler: Convolve", known_radius::Convolve, on),
              By("radius_known_to_the_compiler: ConvolveTiled", known_radius::ConvolveTiled, on),
              By("reference: ConvolveLarge", ConvolveLarge, on)},
             on);
}

bool RunSeparable(int edge, int radius) {
  const Problem on(edge, radius, Form::kTwoPasses);
  return Run("part 4",
             {Copy(on), By("reference: ConvolveSeparable", ConvolveSeparable, on),
              By("tiles_in_both_passes: ConvolveSeparable", tiled_passes::ConvolveSeparable, on)},
             on);
}

bool RunLarge(int edge, int radius) {
  const Problem on(edge, radius, Form::kSquare);
  return Run("part 5",
             {Copy(on), By("reference: ConvolveLarge", ConvolveLarge, on),
              By("eight_pixels_a_thread: ConvolveLarge", eight_pixels::ConvolveLarge, on)},
             on);
}

bool Run(int edge) {
  return RunSquare(edge, 4) && RunSquare(edge, kMaxRadius) && RunSeparable(edge, 8) &&
         RunSeparable(edge, kMaxSeparableRadius) && RunLarge(edge, 15) && RunLarge(edge, 64);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> edges;
  for (int i = 1; i < argc; ++i) edges.push_back(std::atoi(argv[i]));
  if (edges.empty()) edges = {4096};
  if (std::any_of(edges.begin(), edges.end(), [](int e) { return e < 1 || e > 16384; })) {
    std::fprintf(stderr, "usage: %s [edge, 1 to 16384]...\n", argv[0]);
    return 2;
  }
  try {
    std::printf("%s\n", lab::Machine().c_str());
    const bool all_right = std::all_of(edges.begin(), edges.end(), [](int e) { return Run(e); });
    return all_right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
