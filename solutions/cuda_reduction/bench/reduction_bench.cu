// Times the reference's reductions, and those of accepted solutions, beside CUB's.
//
//   reduction_bench [elements]      2^28 unless said; more than 2^32 for sums alone
//
// All run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. Every result is checked: the values are whole
// numbers of which no sum rounds, and the maximum stands at two places. Before that, two calls run
// at the same time on streams of their own.

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

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
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

using lab::Contender;
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

Contender SumContender(const char* name, SumFunction add, const Problem& problem) {
  return {name, problem.Bytes(),
          [add, &problem] { add(problem.values.span(), problem.sum.span(), nullptr); },
          [&problem] { return problem.SumIsRight(); }};
}

Contender MaximumContender(const char* name, MaximumFunction find, const Problem& problem) {
  return {
      name, problem.Bytes(),
      [find, &problem] { find(problem.values.span(), kFirst, problem.maximum.span(), nullptr); },
      [&problem] { return problem.MaximumIsRight(); }};
}

// CUB with memory that was allocated before.
Contender CubSum(const Problem& problem, const DeviceArray<char>& memory) {
  return {"cub::DeviceReduce::Sum", problem.Bytes(),
          [&] {
            std::size_t bytes = memory.size();
            CUDA_CHECK(cub::DeviceReduce::Sum(memory.data(), bytes, problem.values.data(),
                                              problem.sum.data(), problem.values.size()));
          },
          [&problem] { return problem.SumIsRight(); }};
}

Contender CubMaximum(const Problem& problem, const DeviceArray<char>& memory) {
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

// The same on two problems at once.
bool RunSideBySide(const char* name, SumFunction add) {
  const Problem left(std::size_t{1} << 22);
  const Problem right((std::size_t{1} << 22) + 12345);
  const auto task = [add](const Problem& problem) -> lab::StreamTask {
    return {[&problem] { problem.Poison(); },
            [add, &problem](cudaStream_t stream) {
              add(problem.values.span(), problem.sum.span(), stream);
            },
            [&problem] { return problem.SumIsRight(); }};
  };
  return lab::RunSideBySide(name, task(left), task(right), 50);
}

struct NamedSum {
  const char* name;
  SumFunction add;
};

constexpr NamedSum kSums[] = {
    {"reference: Sum", Sum},
    {"reference: SumCoarsened", SumCoarsened},
    {"two_kernels: SumCoarsened", two_kernels::SumCoarsened},
    {"vectors_of_four: SumCoarsened", vectors_of_four::SumCoarsened},
    {"last_block_finishes: SumCoarsened", last_block_finishes::SumCoarsened},
};

// The first one is what the others are compared with.
void Print(const std::vector<Contender>& contenders) {
  std::printf("| %-38s | %8s | %8s | %6s |\n", "what", "ms", "GB/s", "of CUB");
  std::printf("| -------------------------------------- | -------: | -------: | -----: |\n");
  const double first = contenders.front().Median();
  for (const Contender& contender : contenders) {
    std::printf("| %-38s | %8.4f | %8.1f | %6.3f |\n", contender.name.c_str(), contender.Median(),
                contender.Rate(), first / contender.Median());
  }
  std::printf("\n");
}

bool Run(std::size_t n) {
  lab::KeepPooledMemory();
  for (const NamedSum& sum : kSums) {
    if (!RunSideBySide(sum.name, sum.add)) return false;
  }
  const Problem problem(n);
  const auto poison = [&problem] { problem.Poison(); };
  const DeviceArray<char> memory(std::size_t{16} << 20);
  std::vector<Contender> sums{CubSum(problem, memory)};
  for (const NamedSum& sum : kSums) sums.push_back(SumContender(sum.name, sum.add, problem));
  if (!lab::RunContest(sums, poison)) return false;
  std::printf("%s: n = %zu floats, medians of %d\n\n", lab::Machine().c_str(), n,
              lab::kContestRounds);
  Print(sums);
  if (n >> 32 != 0) return true;
  std::vector<Contender> maxima{CubMaximum(problem, memory)};
  maxima.push_back(MaximumContender("reference: FirstMaximum", FirstMaximum, problem));
  maxima.push_back(
      MaximumContender("packed_maximum: FirstMaximum", packed_maximum::FirstMaximum, problem));
  if (!lab::RunContest(maxima, poison)) return false;
  Print(maxima);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t{1} << 28;
  if (argc > 2 || n == 0) {
    std::fprintf(stderr, "usage: %s [elements, at least 1]\n", argv[0]);
    return 2;
  }
  try {
    return Run(n) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
