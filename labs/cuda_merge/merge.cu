// Your solution to the lab "Merge on a GPU": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in merge.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_merge/merge.h"

void CoRanks([[maybe_unused]] DeviceSpan<const std::int32_t> a,
             [[maybe_unused]] DeviceSpan<const std::int32_t> b,
             [[maybe_unused]] DeviceSpan<const std::uint64_t> ks,
             [[maybe_unused]] DeviceSpan<std::uint64_t> ranks,
             [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MergeRanges([[maybe_unused]] DeviceSpan<const std::int32_t> a,
                 [[maybe_unused]] DeviceSpan<const std::int32_t> b,
                 [[maybe_unused]] DeviceSpan<std::int32_t> merged,
                 [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MergeTiles([[maybe_unused]] DeviceSpan<const std::int32_t> a,
                [[maybe_unused]] DeviceSpan<const std::int32_t> b,
                [[maybe_unused]] DeviceSpan<std::int32_t> merged,
                [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MergeRing([[maybe_unused]] DeviceSpan<const std::int32_t> a,
               [[maybe_unused]] DeviceSpan<const std::int32_t> b,
               [[maybe_unused]] DeviceSpan<std::int32_t> merged,
               [[maybe_unused]] DeviceSpan<std::uint64_t> workspace,
               [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
