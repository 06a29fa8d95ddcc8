// Compares vector additions with thrust::transform and with a copy on the device.
//
//   vecadd_bench [floats]...      2^28 and 2^24 unless said
//
// Every result is checked, bit by bit.

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_vecadd/vecadd.h"

// All that these include is included already.
namespace four_at_a_time {
#include "solutions/cuda_vecadd/accepted/four_at_a_time.cu"
}
namespace vectors_in_flight {
#include "solutions/cuda_vecadd/accepted/vectors_in_flight.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;

constexpr int kBlocksPerMultiprocessor = 8;  // of 256 threads: all that can be resident

// A value of element i: whole numbers below 2^16, not the same for different seeds.
struct Value {
  unsigned seed;
  __host__ __device__ float operator()(std::size_t i) const {
    return static_cast<float>((static_cast<unsigned>(i) * 2654435761u + seed) >> 16);
  }
};

struct Problem {
  explicit Problem(std::size_t n) : a(n), b(n), c(n), sum(n) {
    thrust::tabulate(thrust::device, a.data(), a.end(), Value{1});
    thrust::tabulate(thrust::device, b.data(), b.end(), Value{2'000'000'011u});
    thrust::transform(thrust::device, a.data(), a.end(), b.data(), sum.data(),
                      thrust::plus<float>());
  }
  bool IsSum() const { return thrust::equal(thrust::device, c.data(), c.end(), sum.data()); }
  bool IsCopy() const { return thrust::equal(thrust::device, c.data(), c.end(), a.data()); }

  DeviceArray<float> a, b, c, sum;
};

using AddFunction = std::function<void(DeviceSpan<const float> a, DeviceSpan<const float> b,
                                       DeviceSpan<float> c, cudaStream_t stream)>;

void AddByThrust(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                 cudaStream_t stream) {
  thrust::transform(thrust::cuda::par_nosync.on(stream), a.data(), a.data() + a.size(), b.data(),
                    c.data(), thrust::plus<float>());
}

// With all blocks resident.
void AddByStrides(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                  cudaStream_t stream) {
  int multiprocessors = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  VecAddGridStride(a, b, c, stream, kBlocksPerMultiprocessor * multiprocessors);
}

bool Run(std::size_t n) {
  const Problem on(n);
  const auto entry = [&on](const char* name, const AddFunction& add) -> Candidate {
    return {name, 3.0 * static_cast<double>(on.a.bytes()),
            [&on, add] { add(on.a.span(), on.b.span(), on.c.span(), nullptr); },
            [&on] { return on.IsSum(); }};
  };
  return lab::CompareOnDevice(
      std::to_string(n) + " floats",
      {lab::DeviceCopy(on.c.data(), on.a.data(), on.a.bytes(), [&on] { return on.IsCopy(); }),
       entry("thrust::transform", AddByThrust), entry("reference: VecAdd", VecAdd),
       entry("reference: VecAddGridStride", AddByStrides),
       entry("four_at_a_time: VecAdd", four_at_a_time::VecAdd),
       entry("vectors_in_flight: VecAdd", vectors_in_flight::VecAdd)},
      [&on] { on.c.Fill(0xa5); });
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv,
                       {"floats", 1, SIZE_MAX, {std::size_t{1} << 28, std::size_t{1} << 24}}, Run);
}
