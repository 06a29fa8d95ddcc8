// Compares ScaleAndBlur with a copy on the device, for radius 1, 2 and 4.
//
//   picture_bench [edge]...      16384 unless said: pictures of edge x edge pixels
//
// Every pixel of every result is checked. The rate is that of three bytes a pixel: the picture is
// read once, the results are written once. What is read again shows as a lower rate.

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
#include <string>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_vecadd/vecadd.h"

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

using lab::Candidate;
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

bool Run(int edge, int radius) {
  const Problem on({edge, edge, radius});
  const auto entry = [&on](const char* name, decltype(ScaleAndBlur)* function) -> Candidate {
    return {name, 3.0 * static_cast<double>(on.size.Pixels()),
            [&on, function] {
              function(on.picture.span(), on.scaled.span(), on.blurred.span(), on.size.width,
                       on.size.height, kPercent, on.size.radius, nullptr);
            },
            [&on] { return on.IsRight(); }};
  };
  return lab::CompareOnDevice(
      std::to_string(edge) + " x " + std::to_string(edge) + " pixels, radius " +
          std::to_string(radius),
      {lab::DeviceCopy(on.scaled.data(), on.picture.data(), on.picture.bytes(),
                       [&on] { return on.IsCopy(); }),
       entry("reference", ScaleAndBlur), entry("four_at_a_time", four_at_a_time::ScaleAndBlur),
       entry("fused_picture", fused_picture::ScaleAndBlur),
       entry("tile_with_a_halo", tile_with_a_halo::ScaleAndBlur),
       entry("vectors_in_flight", vectors_in_flight::ScaleAndBlur)},
      [&on] { on.Poison(); });
}

bool RunAll(std::size_t size) {
  const int edge = static_cast<int>(size);
  return Run(edge, 1) && Run(edge, 2) && Run(edge, 4);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv, {"edge", 1, 46340, {16384}}, RunAll);
}
