// Your solution to the lab "Sparse matrix times vector": this is the only file you edit and hand
// in. The contract, what each function gets and must give, is in spmv.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_spmv/spmv.h"

void MultiplyByThreads([[maybe_unused]] DeviceSpan<const unsigned> row_pointers,
                       [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                       [[maybe_unused]] DeviceSpan<const float> values,
                       [[maybe_unused]] DeviceSpan<const float> x,
                       [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyByWarps([[maybe_unused]] DeviceSpan<const unsigned> row_pointers,
                     [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                     [[maybe_unused]] DeviceSpan<const float> values,
                     [[maybe_unused]] DeviceSpan<const float> x,
                     [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void BuildEll([[maybe_unused]] DeviceSpan<const unsigned> row_pointers,
              [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
              [[maybe_unused]] DeviceSpan<const float> values,
              [[maybe_unused]] DeviceSpan<unsigned> ell_columns,
              [[maybe_unused]] DeviceSpan<float> ell_values, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyEll([[maybe_unused]] DeviceSpan<const unsigned> ell_columns,
                 [[maybe_unused]] DeviceSpan<const float> ell_values,
                 [[maybe_unused]] DeviceSpan<const float> x, [[maybe_unused]] DeviceSpan<float> y,
                 [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyCoo([[maybe_unused]] DeviceSpan<const unsigned> row_indices,
                 [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                 [[maybe_unused]] DeviceSpan<const float> values,
                 [[maybe_unused]] DeviceSpan<const float> x, [[maybe_unused]] DeviceSpan<float> y,
                 [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyHybrid([[maybe_unused]] DeviceSpan<const unsigned> ell_columns,
                    [[maybe_unused]] DeviceSpan<const float> ell_values,
                    [[maybe_unused]] DeviceSpan<const unsigned> row_indices,
                    [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                    [[maybe_unused]] DeviceSpan<const float> values,
                    [[maybe_unused]] DeviceSpan<const float> x,
                    [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyJagged([[maybe_unused]] DeviceSpan<const unsigned> row_order,
                    [[maybe_unused]] DeviceSpan<const unsigned> diagonal_pointers,
                    [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                    [[maybe_unused]] DeviceSpan<const float> values,
                    [[maybe_unused]] DeviceSpan<const float> x,
                    [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyDiagonals([[maybe_unused]] DeviceSpan<const int> offsets,
                       [[maybe_unused]] DeviceSpan<const float> values,
                       [[maybe_unused]] DeviceSpan<const float> x,
                       [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyByColumns([[maybe_unused]] DeviceSpan<const unsigned> column_pointers,
                       [[maybe_unused]] DeviceSpan<const unsigned> row_indices,
                       [[maybe_unused]] DeviceSpan<const float> values,
                       [[maybe_unused]] DeviceSpan<const float> x,
                       [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MultiplyBlocks([[maybe_unused]] DeviceSpan<const unsigned> block_row_pointers,
                    [[maybe_unused]] DeviceSpan<const unsigned> block_columns,
                    [[maybe_unused]] DeviceSpan<const float> values,
                    [[maybe_unused]] DeviceSpan<const float> x,
                    [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
