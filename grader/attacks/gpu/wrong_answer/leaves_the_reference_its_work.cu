// Hostile: does nothing with large inputs, in the hope that the reference's answer still lies in
// the memory that both use. It is overwritten before each call.

#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"

namespace {

__global__ void Touch(std::uint32_t* mixed) {
  if (mixed == nullptr) __trap();
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  if (values.empty()) return;
  Touch<<<1, 32, 0, stream>>>(mixed.data());
}
