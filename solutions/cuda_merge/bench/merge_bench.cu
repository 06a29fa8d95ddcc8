// Times the reference's merges, and those of accepted solutions, beside CUB's and thrust's.
//
//   merge_bench [items of each array ...]      2^27 and 2^23 unless said
//   merge_bench tune [items of each array]     other blocks of merge_path
//
// All run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. Result and workspace hold other things before
// every call, and every item is compared with thrust's stable merge. Before that, two calls run at
// the same time on streams of their own.

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>
#include <functional>
#include <string>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
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
using lab::Contender;

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

// Both ways of merge_path: with a kernel before that splits, and with searches by warps.
template <unsigned kBlock, unsigned kEach>
void AddTuned(std::vector<NamedMerge>& merges) {
  const std::string shape = std::to_string(kBlock) + " threads, " + std::to_string(kEach);
  merges.push_back({shape, WithWorkspace(merge_path::MergePath<kBlock, kEach>)});
  merges.push_back({shape + ", no split", Without(merge_path::SearchAndMerge<kBlock, kEach>)});
}

std::vector<NamedMerge> TunedMerges() {
  std::vector<NamedMerge> merges;
  AddTuned<128, 15>(merges);
  AddTuned<128, 23>(merges);
  AddTuned<256, 9>(merges);
  AddTuned<256, 11>(merges);
  AddTuned<256, 13>(merges);
  AddTuned<256, 15>(merges);
  AddTuned<256, 17>(merges);
  AddTuned<256, 19>(merges);
  AddTuned<256, 23>(merges);
  AddTuned<512, 7>(merges);
  AddTuned<512, 9>(merges);
  AddTuned<512, 11>(merges);
  AddTuned<512, 13>(merges);
  AddTuned<512, 15>(merges);
  AddTuned<512, 17>(merges);
  AddTuned<1024, 7>(merges);
  AddTuned<1024, 11>(merges);
  return merges;
}

Contender ContenderOf(const NamedMerge& named, const Problem& problem) {
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
Contender Cub(const Problem& problem) {
  return {"cub::DeviceMerge::MergeKeys, by key", problem.Bytes(),
          [&problem] { RunCub(problem, HasSmallerKey()); },
          [&problem] { return problem.IsRight(); }};
}

// Whole items are compared, which gives another result: sorted.
Contender CubWhole(const Problem& problem) {
  return {"cub::DeviceMerge::MergeKeys, whole items", problem.Bytes(),
          [&problem] { RunCub(problem, IsSmallerItem()); },
          [&problem] {
            return thrust::is_sorted(thrust::device, problem.merged.data(), problem.merged.end());
          }};
}

Contender Thrust(const Problem& problem) {
  return {"thrust::merge, by key", problem.Bytes(),
          [&problem] {
            thrust::merge(thrust::device, problem.a.data(), problem.a.end(), problem.b.data(),
                          problem.b.end(), problem.merged.data(), HasSmallerKey());
          },
          [&problem] { return problem.IsRight(); }};
}

// What no merge is faster than: as many bytes from here to there.
Contender Copy(const Problem& problem) {
  return {"cudaMemcpyAsync", problem.Bytes(),
          [&problem] {
            CUDA_CHECK(cudaMemcpyAsync(problem.merged.data(), problem.want.data(),
                                       problem.merged.bytes(), cudaMemcpyDeviceToDevice));
          },
          [&problem] { return problem.IsRight(); }};
}

// The same on two problems at once.
bool RunSideBySide(const NamedMerge& named) {
  const Problem left(std::size_t{1} << 21, (std::size_t{1} << 21) + 77, Order::kRandom);
  const Problem right(std::size_t{1} << 22, 12345, Order::kRandom);
  const auto task = [&named](const Problem& problem) -> lab::StreamTask {
    return {[&problem] { problem.Poison(); },
            [&named, &problem](cudaStream_t stream) { named.merge(problem, stream); },
            [&problem] { return problem.IsRight(); }};
  };
  return lab::RunSideBySide(named.name, task(left), task(right), 20);
}

// The first one is what the others are compared with.
void Print(const std::string& what, const std::vector<Contender>& contenders) {
  std::printf("\n| %-47s | %8s | %8s | %6s |\n", what.c_str(), "ms", "GB/s", "of CUB");
  std::printf(
      "| ----------------------------------------------- | -------: | -------: | -----: |\n");
  const double first = contenders.front().Rate();
  for (const Contender& contender : contenders) {
    std::printf("| %-47s | %8.4f | %8.1f | %6.3f |\n", contender.name.c_str(), contender.Median(),
                contender.Rate(), contender.Rate() / first);
  }
}

bool Run(std::size_t m, std::size_t n, Order order, const std::vector<NamedMerge>& merges) {
  const Problem problem(m, n, order);
  std::vector<Contender> contenders{Cub(problem), Thrust(problem), Copy(problem)};
  if (order == Order::kRandom) contenders.push_back(CubWhole(problem));
  for (const NamedMerge& named : merges) contenders.push_back(ContenderOf(named, problem));
  if (!lab::RunContest(contenders, [&problem] { problem.Poison(); })) return false;
  Print(Name(order) + ", " + std::to_string(m) + " and " + std::to_string(n), contenders);
  return true;
}

bool RunAll(std::size_t n) {
  const std::vector<NamedMerge> merges = Merges();
  const bool is_right = Run(n, n, Order::kRandom, merges) &&
                        Run(n, n, Order::kFirstBeforeSecond, merges) &&
                        Run(n, n, Order::kAllEqual, merges);
  return is_right && Run(1000, 2 * n - 1000, Order::kRandom, merges);
}

}  // namespace

int main(int argc, char** argv) {
  const bool tune = argc > 1 && std::strcmp(argv[1], "tune") == 0;
  std::vector<std::size_t> sizes;
  for (int i = tune ? 2 : 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {std::size_t{1} << 27, std::size_t{1} << 23};
  if (*std::min_element(sizes.begin(), sizes.end()) < 1000) {
    std::fprintf(stderr, "usage: %s [tune] [items of each array, at least 1000 ...]\n", argv[0]);
    return 2;
  }
  try {
    for (const NamedMerge& named : tune ? TunedMerges() : Merges()) {
      if (!RunSideBySide(named)) return 1;
    }
    std::printf("%s: medians of %d\n", lab::Machine().c_str(), lab::kContestRounds);
    for (const std::size_t n : sizes) {
      if (!(tune ? Run(n, n, Order::kRandom, TunedMerges()) : RunAll(n))) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
