#pragma once

// What the benchmark merges, the right answers, and the memory for it.

#include <cuda_runtime.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "common/benchmark/device_loops.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_merge/merge.h"

namespace bench {

using lab::DeviceArray;

struct HasSmallerKey {
  __host__ __device__ bool operator()(std::int32_t x, std::int32_t y) const {
    return (x >> kTagBits) < (y >> kTagBits);
  }
};

struct IsSmallerItem {
  __host__ __device__ bool operator()(std::int32_t x, std::int32_t y) const { return x < y; }
};

// How the keys of both arrays lie to each other.
enum class Order { kRandom, kFirstBeforeSecond, kAllEqual };

inline std::string Name(Order order) {
  if (order == Order::kRandom) return "random keys";
  return order == Order::kAllEqual ? "equal keys" : "a before b";
}

// Item i of an array before it is sorted.
struct ItemAt {
  std::uint64_t seed;
  Order order;
  __host__ __device__ std::int32_t operator()(std::size_t i) const {
    const std::uint32_t any = lab::AnyWord(i + seed);
    if (order == Order::kRandom) return static_cast<std::int32_t>(any);
    if (order == Order::kAllEqual) return static_cast<std::int32_t>(any & 255);
    return static_cast<std::int32_t>(any >> 1 | (seed > 0 ? 0 : 0x80000000u));  // a's below 0
  }
};

inline void FillSorted(const DeviceArray<std::int32_t>& items, std::uint64_t seed, Order order) {
  thrust::tabulate(thrust::device, items.data(), items.end(), ItemAt{seed, order});
  if (order == Order::kAllEqual) return;  // with any tags
  thrust::sort(thrust::device, items.data(), items.end());
}

// What is merged, where it goes, the workspace and CUB's memory. `want` is thrust's stable merge.
struct Problem {
  Problem(std::size_t m, std::size_t n, Order order)
      : a(m),
        b(n),
        merged(m + n),
        want(m + n),
        workspace(WorkspaceSize(m + n)),
        cub_memory(std::size_t{64} << 20) {
    FillSorted(a, 0, order);
    FillSorted(b, std::uint64_t{1} << 40, order);
    thrust::merge(thrust::device, a.data(), a.end(), b.data(), b.end(), want.data(),
                  HasSmallerKey());
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  void Poison() const {
    merged.Fill(0xa5);
    workspace.Fill(0xa5);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  bool IsRight() const {
    const bool same = thrust::equal(thrust::device, merged.data(), merged.end(), want.data());
    if (!same) std::fprintf(stderr, "the result is not the stable merge\n");
    return same;
  }
  // Each item is read and written once.
  double Bytes() const { return 2.0 * static_cast<double>(merged.bytes()); }

  DeviceArray<std::int32_t> a;
  DeviceArray<std::int32_t> b;
  DeviceArray<std::int32_t> merged;
  DeviceArray<std::int32_t> want;
  DeviceArray<std::uint64_t> workspace;
  DeviceArray<char> cub_memory;
};

}  // namespace bench
