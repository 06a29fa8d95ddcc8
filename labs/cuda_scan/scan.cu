// Your solution to the lab "Scan on a GPU": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in scan.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_scan/scan.h"

void InclusiveScanTile([[maybe_unused]] DeviceSpan<const std::uint32_t> values,
                       [[maybe_unused]] DeviceSpan<std::uint32_t> sums,
                       [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ExclusiveScanTile([[maybe_unused]] DeviceSpan<const std::uint32_t> counts,
                       [[maybe_unused]] DeviceSpan<std::uint32_t> starts,
                       [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ExclusiveScan([[maybe_unused]] DeviceSpan<const std::uint32_t> counts,
                   [[maybe_unused]] DeviceSpan<std::uint32_t> starts,
                   [[maybe_unused]] DeviceSpan<std::uint64_t> workspace,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SegmentedScan([[maybe_unused]] DeviceSpan<const std::uint32_t> values,
                   [[maybe_unused]] DeviceSpan<const std::uint8_t> flags,
                   [[maybe_unused]] DeviceSpan<std::uint32_t> sums,
                   [[maybe_unused]] DeviceSpan<std::uint64_t> workspace,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void InclusiveScan([[maybe_unused]] DeviceSpan<const std::uint32_t> values,
                   [[maybe_unused]] DeviceSpan<std::uint32_t> sums,
                   [[maybe_unused]] DeviceSpan<std::uint64_t> workspace,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
