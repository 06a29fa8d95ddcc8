// Compares convolutions with a copy of the image.
//
//   convolution_bench [edge]...      4096 unless said: images of edge x edge pixels
//
// Times include the copy of the mask. GB/s counts 8 bytes a pixel, one read and one write, as the
// copy does. Every pixel of every result is checked: pixels and weights are whole numbers of which
// no sum rounds.

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

#include "common/benchmark/device.h"
#include "common/benchmark/device_loops.h"
#include "common/cuda/check.h"
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

using lab::Candidate;
using lab::DeviceArray;

// Whole numbers from -2 to 1: sums of up to 2^20 products stay exact.
struct SetNumber {
  float* values;
  __device__ void operator()(std::size_t i) const {
    values[i] = static_cast<float>(static_cast<int>(lab::AnyWord(i) >> 30) - 2);
  }
};

// A convolution of a square image, without any of the ideas of the lab.
struct PlainAt {
  const float* in;
  const float* mask;
  float* out;
  int edge, radius_x, radius_y;
  __device__ void operator()(std::size_t i) const {
    const int x = static_cast<int>(i % edge);
    const int y = static_cast<int>(i / edge);
    const float* weight = mask;
    float sum = 0;
    for (int dy = -radius_y; dy <= radius_y; ++dy) {
      for (int dx = -radius_x; dx <= radius_x; ++dx, ++weight) {
        if (x + dx < 0 || x + dx >= edge || y + dy < 0 || y + dy >= edge) continue;
        sum += *weight * in[static_cast<std::size_t>(y + dy) * edge + x + dx];
      }
    }
    out[i] = sum;
  }
};

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
        mask(form == Form::kSquare ? side * side : 2 * side) {
    lab::ForEach(n, SetNumber{in.data()});
    lab::ForEach(mask.size(), SetNumber{mask.data()});
    if (form == Form::kSquare) {
      Plain(in, mask.data(), want, radius, radius);
    } else {
      Plain(in, mask.data(), scratch, radius, 0);
      Plain(scratch, mask.data() + side, want, 0, radius);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  void Plain(const DeviceArray<float>& from, const float* weights, const DeviceArray<float>& to,
             int radius_x, int radius_y) const {
    lab::ForEach(n, PlainAt{from.data(), weights, to.data(), edge, radius_x, radius_y});
  }
  void Poison() const {
    out.Fill(0xff);
    scratch.Fill(0xff);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  bool IsRight(const DeviceArray<float>& expected) const {
    return lab::AllOf(n, lab::IsSame<float>{out.data(), expected.data()});
  }
  double Bytes() const { return 8.0 * static_cast<double>(n); }
  Candidate By(std::string name, std::function<void()> run) const {
    return {std::move(name), Bytes(), std::move(run), [this] { return IsRight(want); }};
  }

  int edge, radius;
  std::size_t side;
  std::size_t n;
  DeviceArray<float> in, out, scratch, want, mask;
};

Candidate Copy(const Problem& on) {
  return lab::DeviceCopy(on.out.data(), on.in.data(), on.in.bytes(),
                         [&on] { return on.IsRight(on.in); });
}

using Square = void (*)(DeviceSpan<const float>, DeviceSpan<const float>, DeviceSpan<float>, int,
                        int, int, cudaStream_t);
using Separable = void (*)(DeviceSpan<const float>, DeviceSpan<const float>,
                           DeviceSpan<const float>, DeviceSpan<float>, DeviceSpan<float>, int, int,
                           int, cudaStream_t);
using Large = void (*)(DeviceSpan<const float>, DeviceSpan<const float>, DeviceSpan<float>, int,
                       int, int, int, cudaStream_t);

Candidate By(const char* name, Square function, const Problem& on) {
  return on.By(name, [&on, function] {
    function(on.in.span(), on.mask.span(), on.out.span(), on.edge, on.edge, on.radius, nullptr);
  });
}

Candidate By(const char* name, Separable function, const Problem& on) {
  return on.By(name, [&on, function] {
    const DeviceSpan<float> masks = on.mask.span();
    function(on.in.span(), masks.subspan(0, on.side), masks.subspan(on.side, on.side),
             on.out.span(), on.scratch.span(), on.edge, on.edge, on.radius, nullptr);
  });
}

Candidate By(const char* name, Large function, const Problem& on) {
  return on.By(name, [&on, function] {
    function(on.in.span(), on.mask.span(), on.out.span(), on.edge, on.edge, on.radius, on.radius,
             nullptr);
  });
}

bool Compare(const char* title, std::vector<Candidate> candidates, const Problem& on) {
  const std::string edge = std::to_string(on.edge);
  return lab::CompareOnDevice(std::string(title) + ", " + edge + " x " + edge + " pixels, radius " +
                                  std::to_string(on.radius),
                              std::move(candidates), [&on] { on.Poison(); });
}

bool RunSquare(int edge, int radius) {
  const Problem on(edge, radius, Form::kSquare);
  return Compare(
      "parts 1 to 3",
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
  return Compare(
      "part 4",
      {Copy(on), By("reference: ConvolveSeparable", ConvolveSeparable, on),
       By("tiles_in_both_passes: ConvolveSeparable", tiled_passes::ConvolveSeparable, on)},
      on);
}

bool RunLarge(int edge, int radius) {
  const Problem on(edge, radius, Form::kSquare);
  return Compare("part 5",
                 {Copy(on), By("reference: ConvolveLarge", ConvolveLarge, on),
                  By("eight_pixels_a_thread: ConvolveLarge", eight_pixels::ConvolveLarge, on)},
                 on);
}

bool Run(std::size_t size) {
  const int edge = static_cast<int>(size);
  return RunSquare(edge, 4) && RunSquare(edge, kMaxRadius) && RunSeparable(edge, 8) &&
         RunSeparable(edge, kMaxSeparableRadius) && RunLarge(edge, 15) && RunLarge(edge, 64);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv, {"edge", 1, 16384, {4096}}, Run);
}
