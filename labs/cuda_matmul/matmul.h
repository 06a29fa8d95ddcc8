#pragma once

#include "common/cuda/device_span.h"

// C = A B for matrices of 32-bit floats in device memory: A has m rows and k columns, B has k rows
// and n columns, C has m rows and n columns, and
//
//   c[row, column] = a[row, 0] * b[0, column] + ... + a[row, k - 1] * b[k - 1, column].
//
// All are row-major and without gaps: element (row, column) of a matrix with w columns is number
// row * w + column. Each begins at a multiple of 16 bytes.
//
// Sizes: 0 <= m, n <= 500'000, 0 <= k < 2^24, and no matrix has 2^31 elements or more. Where m or
// n is 0, C has no elements and the call does nothing: a grid without blocks is an invalid launch.
// Where k is 0, A and B have none and every element of C is 0.
//
// Aliasing: C does not overlap with A or B. A and B may be the same memory. A and B are not
// written. What C held before is overwritten; nothing is read from it. Memory behind C must not be
// accessed.
//
// Rounding: the k products may be added in any order, with or without fused multiply-add. Let s be
// the exact sum and t that of the products' absolute values. Then
//
//   |c - s| <= gamma * t    with    gamma = k u / (1 - k u),  u = 2^-24,
//
// which holds for every such order: each product is rounded once and takes part in at most k - 1
// rounded additions. It is required only if no product or intermediate sum leaves the range of
// normal floats. Integers whose sums stay below 2^24 are exact.
//
// Special values: an element of C depends on its own row of A and its own column of B alone. If
// these hold infinities or NaN, it is what IEEE 754 makes of their products and sums; if they hold
// none, it is finite, whatever the other elements are.
//
// Stream: all work is launched into `stream`. The calls may return before it is done; the caller
// waits for the stream before it reads C. No call depends on what another one left behind, and
// several may be under way at the same time on streams of their own, from several threads.
//
// Errors: lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
// fails, a launch included. What the function allocated is freed then, too.
//
// Complexity: m n k multiplications and additions on the device; a fixed number of launches.

/// One thread computes one element of C, straight from device memory.
///
/// @param a, b, c  m k, k n and m n elements.
/// @par Source     Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                 chapter 3.
void MatMul(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m, int k,
            int n, cudaStream_t stream);

/// Square matrices through tiles in shared memory.
///
/// @param a, b, c  n n elements each: m = k = n.
/// @param n        a multiple of 32, so that tiles of 16 and of 32 cover the matrices.
/// @par Memory     device memory is read about 2 n^3 / tile times instead of 2 n^3.
/// @par Source     as above, chapter 5.
void MatMulTiledSquare(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                       int n, cudaStream_t stream);

/// The same for matrices of any size: tiles reach over the edges.
///
/// @param a, b, c  as for MatMul.
/// @par Source     as above, chapter 5, section 5.5.
void MatMulTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m,
                 int k, int n, cudaStream_t stream);

/// The same with several elements of C in each thread's registers.
///
/// @param a, b, c  as for MatMul.
/// @par Memory     a thread with r times s elements reads r + s values from shared memory for every
///                 r s multiplications.
/// @par Source     Volkov and Demmel, Benchmarking GPUs to Tune Dense Linear Algebra, SC 2008.
void MatMulRegisterTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                         int m, int k, int n, cudaStream_t stream);
