// Compares merges with CUB's and thrust's.
//
//   merge_bench [items of each array]...      2^27 and 2^23 unless said
//
// Result and workspace hold other things before every call, and every item is compared with
// thrust's stable merge.

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <string>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "labs/cuda_merge/merge.h"
#include "solutions/cuda_merge/bench/problem.h"

// All that these include is included already.
namespace merge_path {
#include "solutions/cuda_merge/accepted/merge_path.cu"
}
namespace vectors_from_registers {
#include "solutions/cuda_merge/accepted/vectors_from_registers.cu"
}

namespace {

using bench::HasSmallerKey;
using bench::IsSmallerItem;
using bench::Order;
using bench::Problem;
using lab::Candidate;

using MergeFunction = std::function<void(const Problem&, cudaStream_t)>;

struct NamedMerge {
  std::string name;
  MergeFunction merge;
};

using RingFunction = void (*)(DeviceSpan<const std::int32_t>, DeviceSpan<const std::int32_t>,
                              DeviceSpan<std::int32_t>, DeviceSpan<std::uint64_t>, cudaStream_t);
using TilesFunction = void (*)(DeviceSpan<const std::int32_t>, DeviceSpan<const std::int32_t>,
                               DeviceSpan<std::int32_t>, cudaStream_t);

MergeFunction WithWorkspace(RingFunction merge) {
  return [merge](const Problem& p, cudaStream_t stream) {
    merge(p.a.span(), p.b.span(), p.merged.span(), p.workspace.span(), stream);
  };
}

MergeFunction Without(TilesFunction merge) {
  return [merge](const Problem& p, cudaStream_t stream) {
    merge(p.a.span(), p.b.span(), p.merged.span(), stream);
  };
}

std::vector<NamedMerge> Merges() {
  return {
      {"merge_path: MergeRing", WithWorkspace(merge_path::MergeRing)},
      {"merge_path: MergeTiles", Without(merge_path::MergeTiles)},
      {"reference: MergeRing", WithWorkspace(MergeRing)},
      {"vectors_from_registers: MergeRing", WithWorkspace(vectors_from_registers::MergeRing)},
      {"reference: MergeTiles", Without(MergeTiles)},
      {"reference: MergeRanges", Without(MergeRanges)},
  };
}

Candidate CandidateOf(const NamedMerge& named, const Problem& problem) {
  return {named.name, problem.Bytes(), [merge = named.merge, &problem] { merge(problem, nullptr); },
          [&problem] { return problem.IsRight(); }};
}

// CUB with memory that was allocated before.
template <typename Compare>
void RunCub(const Problem& p, Compare compare) {
  std::size_t bytes = p.cub_memory.size();
  CUDA_CHECK(cub::DeviceMerge::MergeKeys(
      p.cub_memory.data(), bytes, p.a.data(), static_cast<std::int64_t>(p.a.size()), p.b.data(),
      static_cast<std::int64_t>(p.b.size()), p.merged.data(), compare));
}

// The same work: keys are compared, tags are not.
Candidate Cub(const Problem& problem) {
  return {"cub::DeviceMerge::MergeKeys, by key", problem.Bytes(),
          [&problem] { RunCub(problem, HasSmallerKey()); },
          [&problem] { return problem.IsRight(); }};
}

// Whole items are compared, which gives another result: sorted.
Candidate CubWhole(const Problem& problem) {
  return {"cub::DeviceMerge::MergeKeys, whole items", problem.Bytes(),
          [&problem] { RunCub(problem, IsSmallerItem()); },
          [&problem] {
            return thrust::is_sorted(thrust::device, problem.merged.data(), problem.merged.end());
          }};
}

Candidate Thrust(const Problem& problem) {
  return {"thrust::merge, by key", problem.Bytes(),
          [&problem] {
            thrust::merge(thrust::device, problem.a.data(), problem.a.end(), problem.b.data(),
                          problem.b.end(), problem.merged.data(), HasSmallerKey());
          },
          [&problem] { return problem.IsRight(); }};
}

bool Run(std::size_t m, std::size_t n, Order order) {
  const Problem on(m, n, order);
  const auto copy = lab::DeviceCopy(on.merged.data(), on.want.data(), on.merged.bytes(),
                                    [&on] { return on.IsRight(); });
  std::vector<Candidate> candidates{Cub(on), Thrust(on), copy};
  if (order == Order::kRandom) candidates.push_back(CubWhole(on));
  for (const NamedMerge& named : Merges()) candidates.push_back(CandidateOf(named, on));
  return lab::CompareOnDevice(Name(order) + ", " + std::to_string(m) + " and " + std::to_string(n),
                              candidates, [&on] { on.Poison(); });
}

bool RunAll(std::size_t n) {
  return Run(n, n, Order::kRandom) && Run(n, n, Order::kFirstBeforeSecond) &&
         Run(n, n, Order::kAllEqual) && Run(1000, 2 * n - 1000, Order::kRandom);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(
      argc, argv,
      {"items of each array", 1000, SIZE_MAX / 2, {std::size_t{1} << 27, std::size_t{1} << 23}},
      RunAll);
}
