// Your solution to the lab "Data movement on a GPU": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in layout.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_layout/layout.h"

void StructsToArrays([[maybe_unused]] DeviceSpan<const Cell> cells,
                     [[maybe_unused]] DeviceSpan<float> fields,
                     [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void ArraysToStructs([[maybe_unused]] DeviceSpan<const float> fields,
                     [[maybe_unused]] DeviceSpan<Cell> cells,
                     [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Gather([[maybe_unused]] DeviceSpan<const std::uint32_t> values,
            [[maybe_unused]] DeviceSpan<const std::uint32_t> sources,
            [[maybe_unused]] DeviceSpan<std::uint32_t> out, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Scatter([[maybe_unused]] DeviceSpan<const std::uint32_t> values,
             [[maybe_unused]] DeviceSpan<const std::uint32_t> targets,
             [[maybe_unused]] DeviceSpan<std::uint32_t> out,
             [[maybe_unused]] DeviceSpan<std::uint32_t> workspace,
             [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Transpose([[maybe_unused]] DeviceSpan<const float> in, [[maybe_unused]] DeviceSpan<float> out,
               [[maybe_unused]] int rows, [[maybe_unused]] int columns,
               [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void TransposeSwizzled([[maybe_unused]] DeviceSpan<const float> in,
                       [[maybe_unused]] DeviceSpan<float> out, [[maybe_unused]] int rows,
                       [[maybe_unused]] int columns, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Compact([[maybe_unused]] DeviceSpan<const std::uint32_t> values,
             [[maybe_unused]] DeviceSpan<const std::uint8_t> flags,
             [[maybe_unused]] DeviceSpan<std::uint32_t> kept,
             [[maybe_unused]] DeviceSpan<std::uint32_t> count,
             [[maybe_unused]] DeviceSpan<std::uint32_t> workspace,
             [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SplitByBit([[maybe_unused]] DeviceSpan<const std::uint32_t> keys,
                [[maybe_unused]] DeviceSpan<const std::uint32_t> payloads, [[maybe_unused]] int bit,
                [[maybe_unused]] DeviceSpan<std::uint32_t> split_keys,
                [[maybe_unused]] DeviceSpan<std::uint32_t> split_payloads,
                [[maybe_unused]] DeviceSpan<std::uint32_t> workspace,
                [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void RadixSort([[maybe_unused]] DeviceSpan<const std::uint32_t> keys,
               [[maybe_unused]] DeviceSpan<const std::uint32_t> payloads,
               [[maybe_unused]] DeviceSpan<std::uint32_t> sorted_keys,
               [[maybe_unused]] DeviceSpan<std::uint32_t> sorted_payloads,
               [[maybe_unused]] DeviceSpan<std::uint32_t> workspace,
               [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Shift([[maybe_unused]] DeviceSpan<const std::uint32_t> values, [[maybe_unused]] int distance,
           [[maybe_unused]] std::uint32_t fill, [[maybe_unused]] DeviceSpan<std::uint32_t> out,
           [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Expand([[maybe_unused]] DeviceSpan<const std::uint32_t> values,
            [[maybe_unused]] DeviceSpan<const std::uint32_t> counts,
            [[maybe_unused]] DeviceSpan<std::uint32_t> out,
            [[maybe_unused]] DeviceSpan<std::uint32_t> workspace,
            [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Unsplit([[maybe_unused]] DeviceSpan<const std::uint32_t> split,
             [[maybe_unused]] DeviceSpan<const std::uint8_t> flags,
             [[maybe_unused]] DeviceSpan<std::uint32_t> out,
             [[maybe_unused]] DeviceSpan<std::uint32_t> workspace,
             [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
