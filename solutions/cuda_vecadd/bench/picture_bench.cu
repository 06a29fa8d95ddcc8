// Times ScaleAndBlur of the reference and of accepted solutions beside a device-to-device copy.
//
//   picture_bench [width height radius]      16384 16384 with radius 1, 2 and 4 unless said
//
// All run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. Every pixel of every result is checked. The rate
// is that of three bytes a pixel: the picture is read once, the results are written once. What is
// read again shows as a lower rate.

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/tabulate.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_vecadd/vecadd.h"
#include "solutions/cuda_vecadd/bench/table.h"

// All that these include is included already.
namespace four_at_a_time {
#include "solutions/cuda_vecadd/accepted/four_at_a_time.cu"
}
namespace fused_picture {
#include "solutions/cuda_vecadd/accepted/fused_picture.cu"
}
namespace tile_with_a_halo {
#include "solutions/cuda_vecadd/accepted/tile_with_a_halo.cu"
}
namespace vectors_in_flight {
#include "solutions/cuda_vecadd/accepted/vectors_in_flight.cu"
}

namespace {

using lab::Contender;
using lab::DeviceArray;
using Byte = std::uint8_t;

constexpr int kPercent = 130;

struct Size {
  int width, height, radius;
  std::size_t Pixels() const { return std::size_t(width) * height; }
};

struct Noise {
  __host__ __device__ Byte operator()(std::size_t i) const {
    return static_cast<Byte>(static_cast<unsigned>(i) * 2654435761u >> 23);
  }
};

// One pixel after another straight from the contract, by its number alone.
struct Scaled {
  const Byte* picture;
  __host__ __device__ Byte operator()(std::size_t i) const {
    const int value = (picture[i] * kPercent + 50) / 100;
    return static_cast<Byte>(value < 255 ? value : 255);
  }
};

struct Blurred {
  const Byte* scaled;
  Size size;
  __host__ __device__ Byte operator()(std::size_t i) const {
    const int row = static_cast<int>(i / size.width), column = static_cast<int>(i % size.width);
    unsigned sum = 0, pixels = 0;
    for (int r = row - size.radius; r <= row + size.radius; ++r) {
      for (int c = column - size.radius; c <= column + size.radius; ++c) {
        if (r < 0 || r >= size.height || c < 0 || c >= size.width) continue;
        sum += scaled[std::size_t(r) * size.width + c];
        ++pixels;
      }
    }
    return static_cast<Byte>((2 * sum + pixels) / (2 * pixels));
  }
};

struct Problem {
  explicit Problem(const Size& of)
      : size(of),
        picture(of.Pixels()),
        scaled(of.Pixels()),
        blurred(of.Pixels()),
        want_scaled(of.Pixels()),
        want_blurred(of.Pixels()) {
    thrust::tabulate(thrust::device, picture.data(), picture.end(), Noise{});
    thrust::tabulate(thrust::device, want_scaled.data(), want_scaled.end(), Scaled{picture.data()});
    thrust::tabulate(thrust::device, want_blurred.data(), want_blurred.end(),
                     Blurred{want_scaled.data(), size});
  }
  bool IsCopy() const {
    return thrust::equal(thrust::device, scaled.data(), scaled.end(), picture.data());
  }
  bool IsRight() const {
    return thrust::equal(thrust::device, scaled.data(), scaled.end(), want_scaled.data()) &&
           thrust::equal(thrust::device, blurred.data(), blurred.end(), want_blurred.data());
  }
  void Poison() const {
    scaled.Fill(0xa5);
    blurred.Fill(0xa5);
  }

  Size size;
  DeviceArray<Byte> picture, scaled, blurred, want_scaled, want_blurred;
};

using Function = decltype(ScaleAndBlur);

Contender ContenderFor(const char* name, Function* function, const Problem& on) {
  return {name, 3.0 * static_cast<double>(on.size.Pixels()),
          [function, &on] {
            function(on.picture.span(), on.scaled.span(), on.blurred.span(), on.size.width,
                     on.size.height, kPercent, on.size.radius, nullptr);
          },
          [&on] { return on.IsRight(); }};
}

bool Run(const Size& size) {
  const Problem problem(size);
  // The copy first and the reference second: the others are compared with them.
  std::vector<Contender> contenders{
      bench::Copy(problem.scaled.data(), problem.picture.data(), problem.picture.bytes(),
                  [&] { return problem.IsCopy(); }),
      ContenderFor("reference", ScaleAndBlur, problem),
      ContenderFor("four_at_a_time", four_at_a_time::ScaleAndBlur, problem),
      ContenderFor("fused_picture", fused_picture::ScaleAndBlur, problem),
      ContenderFor("tile_with_a_halo", tile_with_a_halo::ScaleAndBlur, problem),
      ContenderFor("vectors_in_flight", vectors_in_flight::ScaleAndBlur, problem)};
  if (!lab::RunContest(contenders, [&] { problem.Poison(); })) return false;
  std::printf("%d x %d pixels, radius %d\n\n", size.width, size.height, size.radius);
  bench::Print(contenders, "of ref.");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Size> sizes{{16384, 16384, 1}, {16384, 16384, 2}, {16384, 16384, 4}};
  if (argc == 4) sizes = {{std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])}};
  const Size& first = sizes.front();
  const bool is_right = first.width > 0 && first.width <= 500'000 && first.height > 0 &&
                        first.height <= 500'000 && first.Pixels() < (std::size_t{1} << 31) &&
                        first.radius >= 0 && first.radius <= 1000;
  if ((argc != 1 && argc != 4) || !is_right) {
    std::fprintf(stderr, "usage: %s [width height radius], as vecadd.h allows\n", argv[0]);
    return 2;
  }
  try {
    lab::KeepPooledMemory();
    bench::PrintMachine();
    return std::all_of(sizes.begin(), sizes.end(), Run) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
