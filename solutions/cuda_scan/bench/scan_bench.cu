// Times the reference's scans, and those of accepted solutions, beside CUB's and thrust's.
//
//   scan_bench [elements ...]      2^28 and 2^24 unless said
//   scan_bench tune [elements]     other blocks and rows of look_back_in_registers
//
// All run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. Sums and workspace hold other things before every
// call, and all sums are checked. Before that, two calls run at the same time on streams of their
// own.

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

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
#include "labs/cuda_scan/scan.h"
#include "solutions/cuda_scan/bench/problem.h"

// All that these include is included already.
namespace flags_and_fences {
#include "solutions/cuda_scan/accepted/flags_and_fences.cu"
}
namespace look_back_in_registers {
#include "solutions/cuda_scan/accepted/look_back_in_registers.cu"
}

namespace {

using bench::Equal;
using bench::ExclusiveAt;
using bench::InclusiveAt;
using bench::Problem;
using bench::SegmentedAt;
using lab::Contender;

using ScanFunction = void (*)(DeviceSpan<const std::uint32_t>, DeviceSpan<std::uint32_t>,
                              DeviceSpan<std::uint64_t>, cudaStream_t);
using SegmentedFunction = void (*)(DeviceSpan<const std::uint32_t>, DeviceSpan<const std::uint8_t>,
                                   DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>,
                                   cudaStream_t);

struct NamedScan {
  const char* name;
  ScanFunction scan;
};

struct NamedSegmented {
  const char* name;
  SegmentedFunction scan;
};

namespace fast = look_back_in_registers;

constexpr NamedScan kInclusive[] = {
    {"look_back_in_registers: InclusiveScan", fast::InclusiveScan},
    {"reference: InclusiveScan", InclusiveScan},
    {"flags_and_fences: InclusiveScan", flags_and_fences::InclusiveScan},
};
constexpr NamedScan kExclusive[] = {
    {"look_back_in_registers: ExclusiveScan", fast::ExclusiveScan},
    {"reference: ExclusiveScan", ExclusiveScan},
};
constexpr NamedSegmented kSegmented[] = {
    {"reference: SegmentedScan", SegmentedScan},
    {"flags_and_fences: SegmentedScan", flags_and_fences::SegmentedScan},
};
constexpr NamedScan kTuned[] = {
    {"128 threads, 4 rows", fast::SinglePass<128, 4, false>},
    {"128 threads, 5 rows", fast::SinglePass<128, 5, false>},
    {"128 threads, 6 rows", fast::SinglePass<128, 6, false>},
    {"128 threads, 8 rows", fast::SinglePass<128, 8, false>},
    {"192 threads, 4 rows", fast::SinglePass<192, 4, false>},
    {"192 threads, 6 rows", fast::SinglePass<192, 6, false>},
    {"256 threads, 4 rows", fast::SinglePass<256, 4, false>},
    {"256 threads, 5 rows", fast::SinglePass<256, 5, false>},
    {"256 threads, 6 rows", fast::SinglePass<256, 6, false>},
    {"256 threads, 8 rows", fast::SinglePass<256, 8, false>},
    {"512 threads, 4 rows", fast::SinglePass<512, 4, false>},
    {"512 threads, 6 rows", fast::SinglePass<512, 6, false>},
};

// The bytes that must move: values and sums, and a flag for each value.
double ScanBytes(const Problem& problem) { return 8.0 * static_cast<double>(problem.sums.size()); }
double SegmentedBytes(const Problem& problem) {
  return 9.0 * static_cast<double>(problem.sums.size());
}

template <typename At>
Contender ScanContender(const NamedScan& named, const Problem& problem) {
  return {named.name, ScanBytes(problem),
          [scan = named.scan, &problem] {
            scan(problem.values.span(), problem.sums.span(), problem.workspace.span(), nullptr);
          },
          [&problem] { return problem.IsRight<At>(); }};
}

Contender SegmentedContender(const NamedSegmented& named, const Problem& problem) {
  return {named.name, SegmentedBytes(problem),
          [scan = named.scan, &problem] {
            scan(problem.values.span(), problem.flags.span(), problem.sums.span(),
                 problem.workspace.span(), nullptr);
          },
          [&problem] { return problem.IsRight<SegmentedAt>(); }};
}

// CUB with memory that was allocated before.
Contender CubInclusive(const Problem& problem) {
  return {"cub::DeviceScan::InclusiveSum", ScanBytes(problem),
          [&problem] {
            std::size_t bytes = problem.cub_memory.size();
            CUDA_CHECK(cub::DeviceScan::InclusiveSum(problem.cub_memory.data(), bytes,
                                                     problem.values.data(), problem.sums.data(),
                                                     problem.values.size()));
          },
          [&problem] { return problem.IsRight<InclusiveAt>(); }};
}

Contender CubExclusive(const Problem& problem) {
  return {"cub::DeviceScan::ExclusiveSum", ScanBytes(problem),
          [&problem] {
            std::size_t bytes = problem.cub_memory.size();
            CUDA_CHECK(cub::DeviceScan::ExclusiveSum(problem.cub_memory.data(), bytes,
                                                     problem.values.data(), problem.sums.data(),
                                                     problem.values.size()));
          },
          [&problem] { return problem.IsRight<ExclusiveAt>(); }};
}

// CUB takes a key for each value in place of a flag: four bytes more to read.
Contender CubByKey(const Problem& problem) {
  return {"cub::DeviceScan::InclusiveSumByKey", SegmentedBytes(problem),
          [&problem] {
            std::size_t bytes = problem.cub_memory.size();
            CUDA_CHECK(cub::DeviceScan::InclusiveSumByKey(
                problem.cub_memory.data(), bytes, problem.keys.data(), problem.values.data(),
                problem.sums.data(), problem.values.size(), Equal{}));
          },
          [&problem] { return problem.IsRight<SegmentedAt>(); }};
}

Contender Thrust(const Problem& problem) {
  return {"thrust::inclusive_scan", ScanBytes(problem),
          [&problem] {
            thrust::inclusive_scan(thrust::device, problem.values.data(),
                                   problem.values.data() + problem.values.size(),
                                   problem.sums.data());
          },
          [&problem] { return problem.IsRight<InclusiveAt>(); }};
}

// The same on two problems at once.
template <typename At>
bool RunSideBySide(const NamedScan& named) {
  const Problem left(std::size_t{1} << 22);
  const Problem right((std::size_t{1} << 22) + 12345);
  const auto task = [scan = named.scan](const Problem& problem) -> lab::StreamTask {
    return {[&problem] { problem.Poison(); },
            [scan, &problem](cudaStream_t stream) {
              scan(problem.values.span(), problem.sums.span(), problem.workspace.span(), stream);
            },
            [&problem] { return problem.IsRight<At>(); }};
  };
  return lab::RunSideBySide(named.name, task(left), task(right), 20);
}

// The first one is what the others are compared with.
void Print(const char* what, std::size_t n, const std::vector<Contender>& contenders) {
  std::printf("\n| %-47s | %8s | %8s | %8s | %6s |\n",
              (std::string(what) + ", n = " + std::to_string(n)).c_str(), "ms", "GB/s", "CUB GB/s",
              "ratio");
  std::printf(
      "| ----------------------------------------------- | -------: | -------: | -------: | "
      "-----: |\n");
  const double first = contenders.front().Rate();
  for (const Contender& contender : contenders) {
    std::printf("| %-47s | %8.4f | %8.1f | %8.1f | %6.3f |\n", contender.name.c_str(),
                contender.Median(), contender.Rate(), first, contender.Rate() / first);
  }
}

bool RunAndPrint(const char* what, const Problem& problem, std::vector<Contender> contenders) {
  if (!lab::RunContest(contenders, [&problem] { problem.Poison(); })) return false;
  Print(what, problem.values.size(), contenders);
  return true;
}

bool Tune(std::size_t n) {
  const Problem problem(n);
  std::vector<Contender> contenders{CubInclusive(problem)};
  for (const NamedScan& named : kTuned) {
    contenders.push_back(ScanContender<InclusiveAt>(named, problem));
  }
  return RunAndPrint("inclusive", problem, contenders);
}

bool Run(std::size_t n) {
  const Problem problem(n);
  std::vector<Contender> inclusive{CubInclusive(problem), Thrust(problem)};
  for (const NamedScan& named : kInclusive) {
    inclusive.push_back(ScanContender<InclusiveAt>(named, problem));
  }
  std::vector<Contender> exclusive{CubExclusive(problem)};
  for (const NamedScan& named : kExclusive) {
    exclusive.push_back(ScanContender<ExclusiveAt>(named, problem));
  }
  std::vector<Contender> segmented{CubByKey(problem)};
  for (const NamedSegmented& named : kSegmented) {
    segmented.push_back(SegmentedContender(named, problem));
  }
  return RunAndPrint("inclusive", problem, inclusive) &&
         RunAndPrint("exclusive", problem, exclusive) &&
         RunAndPrint("segments of 1000", problem, segmented);
}

bool AllSideBySide() {
  for (const NamedScan& named : kInclusive) {
    if (!RunSideBySide<InclusiveAt>(named)) return false;
  }
  for (const NamedScan& named : kExclusive) {
    if (!RunSideBySide<ExclusiveAt>(named)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool tune = argc > 1 && std::strcmp(argv[1], "tune") == 0;
  std::vector<std::size_t> sizes;
  for (int i = tune ? 2 : 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {std::size_t{1} << 28, std::size_t{1} << 24};
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    std::fprintf(stderr, "usage: %s [tune] [elements, at least 1 ...]\n", argv[0]);
    return 2;
  }
  try {
    if (!tune && !AllSideBySide()) return 1;
    std::printf("%s: medians of %d\n", lab::Machine().c_str(), lab::kContestRounds);
    for (const std::size_t n : sizes) {
      if (!(tune ? Tune(n) : Run(n))) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
