// Your solution to the lab "Matrix multiplication with OpenCL": this is the only file you edit and
// hand in. The contract, what each function gets and must give, is in matmul.h; the idea is in
// README.md.

#include "labs/opencl_matmul/matmul.h"

#include <CL/cl.h>

#include "common/lab/not_written.h"
#include "common/opencl/check.h"

void VecAdd([[maybe_unused]] std::span<const float> a, [[maybe_unused]] std::span<const float> b,
            [[maybe_unused]] std::span<float> c) {
  LAB_NOT_WRITTEN();
}

void MatMul([[maybe_unused]] std::span<const float> a, [[maybe_unused]] std::span<const float> b,
            [[maybe_unused]] std::span<float> c, [[maybe_unused]] int m, [[maybe_unused]] int k,
            [[maybe_unused]] int n) {
  LAB_NOT_WRITTEN();
}

void MatMulTiled([[maybe_unused]] std::span<const float> a,
                 [[maybe_unused]] std::span<const float> b, [[maybe_unused]] std::span<float> c,
                 [[maybe_unused]] int m, [[maybe_unused]] int k, [[maybe_unused]] int n) {
  LAB_NOT_WRITTEN();
}

void MatMulVectors([[maybe_unused]] std::span<const float> a,
                   [[maybe_unused]] std::span<const float> b, [[maybe_unused]] std::span<float> c,
                   [[maybe_unused]] int m, [[maybe_unused]] int k, [[maybe_unused]] int n) {
  LAB_NOT_WRITTEN();
}
