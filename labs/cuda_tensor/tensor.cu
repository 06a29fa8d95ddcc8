// Your solution to the lab "Tensor cores and attention": this is the only file you edit and hand
// in. The contract, what each function gets and must give, is in tensor.h; the idea is in
// README.md.

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_tensor/tensor.h"

namespace {

// A span's elements, for kernels.
[[maybe_unused]] const half* Halves(DeviceSpan<const HalfBits> span) {
  return reinterpret_cast<const half*>(span.data());
}

[[maybe_unused]] half* Halves(DeviceSpan<HalfBits> span) {
  return reinterpret_cast<half*>(span.data());
}

}  // namespace

void AddScaled([[maybe_unused]] HalfBits a, [[maybe_unused]] DeviceSpan<const HalfBits> x,
               [[maybe_unused]] DeviceSpan<HalfBits> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void TensorProduct([[maybe_unused]] DeviceSpan<const HalfBits> a,
                   [[maybe_unused]] DeviceSpan<const HalfBits> b,
                   [[maybe_unused]] DeviceSpan<float> c, [[maybe_unused]] int m,
                   [[maybe_unused]] int n, [[maybe_unused]] int k,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void PipelinedProduct([[maybe_unused]] DeviceSpan<const HalfBits> a,
                      [[maybe_unused]] DeviceSpan<const HalfBits> b,
                      [[maybe_unused]] DeviceSpan<float> c, [[maybe_unused]] int m,
                      [[maybe_unused]] int n, [[maybe_unused]] int k,
                      [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void FusedLayer([[maybe_unused]] DeviceSpan<const HalfBits> x,
                [[maybe_unused]] DeviceSpan<const HalfBits> w,
                [[maybe_unused]] DeviceSpan<const float> bias,
                [[maybe_unused]] DeviceSpan<const HalfBits> residual,
                [[maybe_unused]] DeviceSpan<HalfBits> y, [[maybe_unused]] int m,
                [[maybe_unused]] int n, [[maybe_unused]] int k,
                [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void Attention([[maybe_unused]] DeviceSpan<const HalfBits> q,
               [[maybe_unused]] DeviceSpan<const HalfBits> k,
               [[maybe_unused]] DeviceSpan<const HalfBits> v, [[maybe_unused]] DeviceSpan<float> o,
               [[maybe_unused]] int heads, [[maybe_unused]] int n,
               [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
