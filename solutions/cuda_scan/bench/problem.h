#pragma once

// What the benchmark scans, the right answers, and the memory for it.

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/tabulate.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/benchmark/device_loops.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_scan/scan.h"

namespace bench {

using lab::DeviceArray;

inline constexpr std::size_t kSegment = 1000;

// Value i, such that the sum of values 0 to i is known: i + (i mod 7) * 2^28, modulo 2^32.
__host__ __device__ inline std::uint32_t SumUpTo(std::size_t i) {
  return static_cast<std::uint32_t>(i + (i % 7 << 28));
}

struct ValueAt {
  __host__ __device__ std::uint32_t operator()(std::size_t i) const {
    return i == 0 ? SumUpTo(0) : SumUpTo(i) - SumUpTo(i - 1);
  }
};

struct FlagAt {
  __host__ __device__ std::uint8_t operator()(std::size_t i) const { return i % kSegment == 0; }
};

struct KeyAt {
  __host__ __device__ std::uint32_t operator()(std::size_t i) const {
    return static_cast<std::uint32_t>(i / kSegment);
  }
};

struct Equal {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
};

// What is right in sums[i]. A scan is one of these.
struct InclusiveAt {
  __host__ __device__ std::uint32_t operator()(std::size_t i) const { return SumUpTo(i); }
};
struct ExclusiveAt {
  __host__ __device__ std::uint32_t operator()(std::size_t i) const {
    return i == 0 ? 0 : SumUpTo(i - 1);
  }
};
struct SegmentedAt {
  __host__ __device__ std::uint32_t operator()(std::size_t i) const {
    const std::size_t begin = i / kSegment * kSegment;
    return SumUpTo(i) - (begin == 0 ? 0 : SumUpTo(begin - 1));
  }
};

template <typename At>
struct IsRightAt {
  const std::uint32_t* sums;
  __device__ bool operator()(std::size_t i) const { return sums[i] == At()(i); }
};

// What is scanned, where the sums go, the workspace and CUB's memory.
struct Problem {
  explicit Problem(std::size_t n)
      : values(n),
        flags(n),
        keys(n),
        sums(n),
        workspace(WorkspaceSize(n)),
        cub_memory(std::max<std::size_t>(n / 16, std::size_t{1} << 20)) {
    thrust::tabulate(thrust::device, values.data(), values.data() + n, ValueAt{});
    thrust::tabulate(thrust::device, flags.data(), flags.data() + n, FlagAt{});
    thrust::tabulate(thrust::device, keys.data(), keys.data() + n, KeyAt{});
  }
  void Poison() const {
    sums.Fill(0xa5);
    workspace.Fill(0xa5);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  template <typename At>
  bool IsRight() const {
    return lab::AllOf(sums.size(), IsRightAt<At>{sums.data()});
  }

  DeviceArray<std::uint32_t> values;
  DeviceArray<std::uint8_t> flags;
  DeviceArray<std::uint32_t> keys;
  DeviceArray<std::uint32_t> sums;
  DeviceArray<std::uint64_t> workspace;
  DeviceArray<char> cub_memory;
};

}  // namespace bench
