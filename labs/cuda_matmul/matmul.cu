// Your solution to the lab "Matrix multiplication on a GPU": this is the only file you edit and
// hand in. The contract, what each function gets and must give, is in matmul.h; the idea is in
// README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_matmul/matmul.h"

void MatMul([[maybe_unused]] DeviceSpan<const float> a, [[maybe_unused]] DeviceSpan<const float> b,
            [[maybe_unused]] DeviceSpan<float> c, [[maybe_unused]] int m, [[maybe_unused]] int k,
            [[maybe_unused]] int n, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MatMulTiledSquare([[maybe_unused]] DeviceSpan<const float> a,
                       [[maybe_unused]] DeviceSpan<const float> b,
                       [[maybe_unused]] DeviceSpan<float> c, [[maybe_unused]] int n,
                       [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MatMulTiled([[maybe_unused]] DeviceSpan<const float> a,
                 [[maybe_unused]] DeviceSpan<const float> b, [[maybe_unused]] DeviceSpan<float> c,
                 [[maybe_unused]] int m, [[maybe_unused]] int k, [[maybe_unused]] int n,
                 [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MatMulRegisterTiled([[maybe_unused]] DeviceSpan<const float> a,
                         [[maybe_unused]] DeviceSpan<const float> b,
                         [[maybe_unused]] DeviceSpan<float> c, [[maybe_unused]] int m,
                         [[maybe_unused]] int k, [[maybe_unused]] int n,
                         [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
