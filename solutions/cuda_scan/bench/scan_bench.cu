// Compares scans with CUB's and thrust's.
//
//   scan_bench [elements]...      2^28 and 2^24 unless said
//
// Sums and workspace hold other things before every call, and all sums are checked.

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

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
using lab::Candidate;

using ScanFunction = void (*)(DeviceSpan<const std::uint32_t>, DeviceSpan<std::uint32_t>,
                              DeviceSpan<std::uint64_t>, cudaStream_t);
using SegmentedFunction = void (*)(DeviceSpan<const std::uint32_t>, DeviceSpan<const std::uint8_t>,
                                   DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>,
                                   cudaStream_t);

// The bytes that must move: values and sums, and a flag for each value.
double ScanBytes(const Problem& problem) { return 8.0 * static_cast<double>(problem.sums.size()); }
double SegmentedBytes(const Problem& problem) {
  return 9.0 * static_cast<double>(problem.sums.size());
}

template <typename At>
Candidate Scan(const char* name, ScanFunction scan, const Problem& problem) {
  return {name, ScanBytes(problem),
          [scan, &problem] {
            scan(problem.values.span(), problem.sums.span(), problem.workspace.span(), nullptr);
          },
          [&problem] { return problem.IsRight<At>(); }};
}

Candidate Segmented(const char* name, SegmentedFunction scan, const Problem& problem) {
  return {name, SegmentedBytes(problem),
          [scan, &problem] {
            scan(problem.values.span(), problem.flags.span(), problem.sums.span(),
                 problem.workspace.span(), nullptr);
          },
          [&problem] { return problem.IsRight<SegmentedAt>(); }};
}

// CUB with memory that was allocated before.
Candidate CubInclusive(const Problem& problem) {
  return {"cub::DeviceScan::InclusiveSum", ScanBytes(problem),
          [&problem] {
            std::size_t bytes = problem.cub_memory.size();
            CUDA_CHECK(cub::DeviceScan::InclusiveSum(problem.cub_memory.data(), bytes,
                                                     problem.values.data(), problem.sums.data(),
                                                     problem.values.size()));
          },
          [&problem] { return problem.IsRight<InclusiveAt>(); }};
}

Candidate CubExclusive(const Problem& problem) {
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
Candidate CubByKey(const Problem& problem) {
  return {"cub::DeviceScan::InclusiveSumByKey", SegmentedBytes(problem),
          [&problem] {
            std::size_t bytes = problem.cub_memory.size();
            CUDA_CHECK(cub::DeviceScan::InclusiveSumByKey(
                problem.cub_memory.data(), bytes, problem.keys.data(), problem.values.data(),
                problem.sums.data(), problem.values.size(), Equal{}));
          },
          [&problem] { return problem.IsRight<SegmentedAt>(); }};
}

Candidate Thrust(const Problem& problem) {
  return {"thrust::inclusive_scan", ScanBytes(problem),
          [&problem] {
            thrust::inclusive_scan(thrust::device, problem.values.data(),
                                   problem.values.data() + problem.values.size(),
                                   problem.sums.data());
          },
          [&problem] { return problem.IsRight<InclusiveAt>(); }};
}

bool Run(std::size_t n) {
  const Problem on(n);
  const auto poison = [&on] { on.Poison(); };
  const std::string size = ", n = " + std::to_string(n);
  namespace fast = look_back_in_registers;
  return lab::CompareOnDevice(
             "inclusive" + size,
             {CubInclusive(on), Thrust(on),
              Scan<InclusiveAt>("look_back_in_registers: InclusiveScan", fast::InclusiveScan, on),
              Scan<InclusiveAt>("reference: InclusiveScan", InclusiveScan, on),
              Scan<InclusiveAt>("flags_and_fences: InclusiveScan", flags_and_fences::InclusiveScan,
                                on)},
             poison) &&
         lab::CompareOnDevice(
             "exclusive" + size,
             {CubExclusive(on),
              Scan<ExclusiveAt>("look_back_in_registers: ExclusiveScan", fast::ExclusiveScan, on),
              Scan<ExclusiveAt>("reference: ExclusiveScan", ExclusiveScan, on)},
             poison) &&
         lab::CompareOnDevice(
             "segments of 1000" + size,
             {CubByKey(on), Segmented("reference: SegmentedScan", SegmentedScan, on),
              Segmented("look_back_in_registers: SegmentedScan", fast::SegmentedScan, on)},
             poison);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(
      argc, argv, {"elements", 1, SIZE_MAX, {std::size_t{1} << 28, std::size_t{1} << 24}}, Run);
}
