// Compares reductions with CUB's.
//
//   reduction_bench [floats]...      2^28 and 2^24 unless said; more than 2^32 for sums alone
//
// Every result is checked: the values are whole numbers of which no sum rounds, and the maximum
// stands at two places.

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/tabulate.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_reduction/reduction.h"

// All that these include is included already.
namespace last_block_finishes {
#include "solutions/cuda_reduction/accepted/last_block_finishes.cu"
}
namespace packed_maximum {
#include "solutions/cuda_reduction/accepted/packed_maximum.cu"
}
namespace two_kernels {
#include "solutions/cuda_reduction/accepted/two_kernels.cu"
}
namespace vectors_of_four {
#include "solutions/cuda_reduction/accepted/vectors_of_four.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;

constexpr float kLargest = 3;
constexpr std::int64_t kFirst = std::int64_t{1} << 40;

// -1, 0 and 1 by turns, of which three in a row cancel, and kLargest at two places near the end.
struct Value {
  std::size_t n;
  __host__ __device__ std::size_t FirstPlace() const { return n - n / 8; }
  __host__ __device__ std::size_t SecondPlace() const { return n - 1; }
  __host__ __device__ float operator()(std::size_t i) const {
    if (i == FirstPlace() || i == SecondPlace()) return kLargest;
    return static_cast<float>(static_cast<int>(i % 3) - 1);
  }
  // The sum of all: of the first n without the two, and these.
  double Sum() const {
    const double whole = n % 3 == 0 ? 0 : -1;
    const auto usual = [](std::size_t i) { return static_cast<double>(i % 3) - 1; };
    const double first = kLargest - usual(FirstPlace());
    return FirstPlace() == SecondPlace() ? whole + first
                                         : whole + first + kLargest - usual(SecondPlace());
  }
};

// What is reduced, where the results go, and CUB's memory.
struct Problem {
  explicit Problem(std::size_t n) : values(n), sum(1), maximum(1), cub_value(1), cub_index(1) {
    thrust::tabulate(thrust::device, values.data(), values.data() + n, Value{n});
  }
  void Poison() const {
    sum.Fill(0xff);
    maximum.Fill(0xff);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  double Bytes() const { return static_cast<double>(values.bytes()); }
  bool SumIsRight() const { return sum.First() == static_cast<float>(Value{values.size()}.Sum()); }
  bool MaximumIsRight() const {
    const MaxLocation got = maximum.First();
    const Value value{values.size()};
    return got.value == kLargest && got.index == kFirst + std::int64_t(value.FirstPlace());
  }

  DeviceArray<float> values;
  DeviceArray<float> sum;
  DeviceArray<MaxLocation> maximum;
  DeviceArray<float> cub_value;
  DeviceArray<std::int64_t> cub_index;
};

using SumFunction = void (*)(DeviceSpan<const float>, DeviceSpan<float>, cudaStream_t);
using MaximumFunction = void (*)(DeviceSpan<const float>, std::int64_t, DeviceSpan<MaxLocation>,
                                 cudaStream_t);

Candidate SumCandidate(const char* name, SumFunction add, const Problem& problem) {
  return {name, problem.Bytes(),
          [add, &problem] { add(problem.values.span(), problem.sum.span(), nullptr); },
          [&problem] { return problem.SumIsRight(); }};
}

Candidate MaximumCandidate(const char* name, MaximumFunction find, const Problem& problem) {
  return {
      name, problem.Bytes(),
      [find, &problem] { find(problem.values.span(), kFirst, problem.maximum.span(), nullptr); },
      [&problem] { return problem.MaximumIsRight(); }};
}

// CUB with memory that was allocated before.
Candidate CubSum(const Problem& problem, const DeviceArray<char>& memory) {
  return {"cub::DeviceReduce::Sum", problem.Bytes(),
          [&] {
            std::size_t bytes = memory.size();
            CUDA_CHECK(cub::DeviceReduce::Sum(memory.data(), bytes, problem.values.data(),
                                              problem.sum.data(), problem.values.size()));
          },
          [&problem] { return problem.SumIsRight(); }};
}

Candidate CubMaximum(const Problem& problem, const DeviceArray<char>& memory) {
  return {"cub::DeviceReduce::ArgMax", problem.Bytes(),
          [&] {
            std::size_t bytes = memory.size();
            CUDA_CHECK(cub::DeviceReduce::ArgMax(memory.data(), bytes,
                                                 static_cast<const float*>(problem.values.data()),
                                                 problem.cub_value.data(), problem.cub_index.data(),
                                                 static_cast<std::int64_t>(problem.values.size())));
          },
          [&problem] {
            return problem.cub_value.First() == kLargest &&
                   problem.cub_index.First() ==
                       std::int64_t(Value{problem.values.size()}.FirstPlace());
          }};
}

bool Run(std::size_t n) {
  const Problem on(n);
  const auto poison = [&on] { on.Poison(); };
  const DeviceArray<char> memory(std::size_t{16} << 20);
  const std::string size = ", n = " + std::to_string(n);
  const bool sums_are_right = lab::CompareOnDevice(
      "sum" + size,
      {CubSum(on, memory), SumCandidate("reference: Sum", Sum, on),
       SumCandidate("reference: SumCoarsened", SumCoarsened, on),
       SumCandidate("two_kernels: SumCoarsened", two_kernels::SumCoarsened, on),
       SumCandidate("vectors_of_four: SumCoarsened", vectors_of_four::SumCoarsened, on),
       SumCandidate("last_block_finishes: SumCoarsened", last_block_finishes::SumCoarsened, on)},
      poison);
  if (!sums_are_right || n >> 32 != 0) return sums_are_right;
  return lab::CompareOnDevice(
      "maximum" + size,
      {CubMaximum(on, memory), MaximumCandidate("reference: FirstMaximum", FirstMaximum, on),
       MaximumCandidate("vectors_of_four: FirstMaximum", vectors_of_four::FirstMaximum, on),
       MaximumCandidate("packed_maximum: FirstMaximum", packed_maximum::FirstMaximum, on)},
      poison);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv,
                       {"floats", 1, SIZE_MAX, {std::size_t{1} << 28, std::size_t{1} << 24}}, Run);
}
