// Compares single calls of the library and fused kernels with chains of calls.
//
//   library_bench [elements]...      2^26 unless said; a multiple of 4,096
//
// Every result is checked: the inputs have answers that are known.

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cub/cub.cuh>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_library/library.h"

// All that these include is included already.
namespace chain {
#include "solutions/cuda_library/lazy/first_algorithm.cu"
}
namespace fused {
#include "solutions/cuda_library/accepted/kernels_where_they_fuse.cu"
}
namespace all_bits {
#include "solutions/cuda_library/too_slow/all_bits_sorted.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;
using std::uint32_t;

constexpr int kKeyBits = 12;
constexpr std::size_t kKeys = std::size_t{1} << kKeyBits;
constexpr std::size_t kTop = 1000;
constexpr int kColumns = 1024;

struct Threes {
  __host__ __device__ float operator()(std::size_t i) const { return i % 2 == 0 ? 3.0f : -3.0f; }
};
struct Key {
  __host__ __device__ uint32_t operator()(std::size_t i) const {
    return static_cast<uint32_t>(i * 2'654'435'761u) % kKeys;
  }
};
// n different scores, of which the largest is the last.
struct Score {
  __host__ __device__ float operator()(std::size_t i) const {
    return __builtin_bit_cast(float, static_cast<uint32_t>(i + 0x1000));
  }
};

struct Problem {
  explicit Problem(std::size_t count)
      : n(count),
        x(n),
        y(n),
        distance(1),
        keys(n),
        distinct(n),
        counts(n),
        number(1),
        scores(n),
        top_ids(kTop),
        top_weights(kTop),
        probabilities(n) {
    thrust::tabulate(thrust::device, x.data(), x.end(), Threes());
    y.Fill(0);
    thrust::tabulate(thrust::device, keys.data(), keys.end(), Key());
    thrust::tabulate(thrust::device, scores.data(), scores.end(), Score());
  }
  void Poison() const {
    distance.Fill(0xff);
    number.Fill(0xff);
    top_ids.Fill(0xff);
    probabilities.Fill(0xff);
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  std::size_t n;
  DeviceArray<float> x, y;
  DeviceArray<double> distance;
  DeviceArray<uint32_t> keys, distinct, counts, number;
  DeviceArray<float> scores;
  DeviceArray<uint32_t> top_ids;
  DeviceArray<float> top_weights, probabilities;
};

// Bytes: those of the inputs and outputs, each once.
Candidate DistanceBy(const char* name, decltype(Distance)* function, const Problem& p) {
  return {name, 8.0 * p.n,
          [=, &p] { function(p.x.span(), p.y.span(), p.distance.span(), nullptr); },
          [&p] { return p.distance.First() == 3 * std::sqrt(static_cast<double>(p.n)); }};
}

Candidate CountsBy(const char* name, decltype(CountKeys)* function, const Problem& p) {
  return {name, 4.0 * p.n,
          [=, &p] {
            function(p.keys.span(), kKeyBits, p.distinct.span(), p.counts.span(), p.number.span(),
                     nullptr);
          },
          [&p] { return p.number.First() == kKeys && p.counts.First() == p.n / kKeys; }};
}

Candidate TopBy(const char* name, decltype(TopRecords)* function, const Problem& p) {
  return {name, 4.0 * p.n,
          [=, &p] {
            function(p.scores.span(), p.keys.span(), p.x.span(), p.top_ids.span(),
                     p.top_weights.span(), nullptr);
          },
          [&p] { return p.top_ids.First() == Key()(p.n - 1); }};
}

Candidate SoftmaxBy(const char* name, decltype(SoftmaxRows)* function, const Problem& p) {
  return {name, 8.0 * p.n,
          [=, &p] {
            function(p.y.span(), p.probabilities.span(), static_cast<int>(p.n / kColumns), kColumns,
                     nullptr);
          },
          [&p] { return p.probabilities.First() == 1.0f / kColumns; }};
}

bool Run(std::size_t n) {
  const Problem on(n);
  const auto poison = [&on] { on.Poison(); };
  const std::string size = ", n = " + std::to_string(n);
  bool right = lab::CompareOnDevice("distance" + size,
                                    {DistanceBy("reference: a call", Distance, on),
                                     DistanceBy("fused: a kernel", fused::Distance, on),
                                     DistanceBy("chain of calls", chain::Distance, on)},
                                    poison);
  right &= lab::CompareOnDevice(
      "counts of keys of 12 bits" + size,
      {CountsBy("reference: 12 bits", CountKeys, on), CountsBy("all bits", all_bits::CountKeys, on),
       CountsBy("chain of calls", chain::CountKeys, on)},
      poison);
  right &= lab::CompareOnDevice(
      "the 1,000 best" + size,
      {TopBy("reference: indices", TopRecords, on), TopBy("all fields", chain::TopRecords, on)},
      poison);
  right &= lab::CompareOnDevice("softmax of rows of 1,024" + size,
                                {SoftmaxBy("reference: a block for a row", SoftmaxRows, on),
                                 SoftmaxBy("fused: a warp for a row", fused::SoftmaxRows, on),
                                 SoftmaxBy("chain of calls", chain::SoftmaxRows, on)},
                                poison);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv, {"elements", kKeys, 1 << 30, {std::size_t{1} << 26}}, Run);
}
