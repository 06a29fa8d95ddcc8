// Your solution to the lab "Libraries on a GPU": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in library.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_library/library.h"

void Distance([[maybe_unused]] DeviceSpan<const float> x,
              [[maybe_unused]] DeviceSpan<const float> y,
              [[maybe_unused]] DeviceSpan<double> distance, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void CountKeys([[maybe_unused]] DeviceSpan<const std::uint32_t> keys, [[maybe_unused]] int key_bits,
               [[maybe_unused]] DeviceSpan<std::uint32_t> distinct,
               [[maybe_unused]] DeviceSpan<std::uint32_t> counts,
               [[maybe_unused]] DeviceSpan<std::uint32_t> number,
               [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void TopRecords([[maybe_unused]] DeviceSpan<const float> scores,
                [[maybe_unused]] DeviceSpan<const std::uint32_t> ids,
                [[maybe_unused]] DeviceSpan<const float> weights,
                [[maybe_unused]] DeviceSpan<std::uint32_t> top_ids,
                [[maybe_unused]] DeviceSpan<float> top_weights,
                [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void RowOffsets([[maybe_unused]] DeviceSpan<const std::uint32_t> lengths,
                [[maybe_unused]] DeviceSpan<std::uint32_t> offsets,
                [[maybe_unused]] DeviceSpan<std::uint32_t> nonempty,
                [[maybe_unused]] DeviceSpan<std::uint32_t> number,
                [[maybe_unused]] DeviceSpan<std::uint8_t> storage,
                [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SoftmaxRows([[maybe_unused]] DeviceSpan<const float> logits,
                 [[maybe_unused]] DeviceSpan<float> probabilities, [[maybe_unused]] int rows,
                 [[maybe_unused]] int columns, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
