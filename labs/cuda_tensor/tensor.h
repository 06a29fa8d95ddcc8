#pragma once

#include <cstdint>

#include "common/cuda/device_span.h"

// Half precision and tensor cores: products of matrices, a layer of a neural network, and
// attention.
//
// Halves: a number in half precision is IEEE 754's binary16, with 1 bit for the sign, 5 for the
// exponent and 11 for the significand, the first of which is not stored. The contract passes its 16
// bits, as host code without CUDA has no type for them; kernels take it for a `half`.
//
// Matrices are row-major and without gaps: element (row, column) of a matrix with w columns is
// number row * w + column. Each span begins at a multiple of 256 bytes. Outputs do not overlap with
// other arguments; what they held before is overwritten, and nothing is read from it, except in
// AddScaled. Inputs are not written. Memory behind a span must not be accessed. Where an output has
// no elements, the call does nothing.
//
// Rounding of products: in every part but the first, the product of two halves is exact in a float,
// and sums are floats. A tensor core may add in any order and cuts digits off where IEEE 754
// rounds, so with s the exact sum of k products and t the sum of their absolute values
//
//   |computed - s| <= gamma(k) * t    with    gamma(k) = k u / (1 - k u),  u = 2^-22.
//
// No product of halves and no such sum overflows or underflows a float. Whole numbers whose sums
// stay below 2^24 are exact.
//
// Stream: all work is launched into `stream`. The calls may return before it is done; the caller
// waits for the stream before it reads. No call depends on what another one left behind, and
// several may be under way at the same time on streams of their own, from several threads.
//
// Errors: lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
// fails, a launch included. What the function allocated is freed then, too.

/// The bits of a number in half precision.
using HalfBits = std::uint16_t;

/// y[i] = a x[i] + y[i], the half that is nearest to the exact value, of two the even one: one
/// rounding, as __hfma makes it. Beyond the largest half, 65504, that is infinity. Infinities and
/// NaN as IEEE 754 says; of a NaN any bits.
///
/// @param x           n elements, at most 2^30.
/// @param y           n elements, read and written.
/// @par Complexity    one kernel; each element is read and written once.
void AddScaled(HalfBits a, DeviceSpan<const HalfBits> x, DeviceSpan<HalfBits> y,
               cudaStream_t stream);

/// C = A B on tensor cores: halves are multiplied and added up as floats.
///
/// @param a, b, c  m k halves, k n halves, m n floats.
/// @param m, n, k  multiples of 64, at most 16384.
/// @par Memory     a block computes 64 x 64 elements or more: A and B are read n / 64 and m / 64
///                 times.
/// @par Source     CUDA C++ Programming Guide, "Warp Matrix Functions".
void TensorProduct(DeviceSpan<const HalfBits> a, DeviceSpan<const HalfBits> b, DeviceSpan<float> c,
                   int m, int n, int k, cudaStream_t stream);

/// The same, with the next tiles on their way from device memory while the product of these is
/// computed: asynchronous copies into three stages.
///
/// @param a, b, c, m, n, k  as for TensorProduct.
/// @par Source              CUDA C++ Programming Guide, "Asynchronous Data Copies".
void PipelinedProduct(DeviceSpan<const HalfBits> a, DeviceSpan<const HalfBits> b,
                      DeviceSpan<float> c, int m, int n, int k, cudaStream_t stream);

/// A layer of a neural network in one kernel: y = relu(x w + bias) + residual, where bias is added
/// to every row and relu(z) is 0 where z < 0, otherwise z: a NaN stays.
///
/// Let z be the exact sum with its bias, and t the sum of the absolute values of its products and
/// of the bias. Element y is within gamma(k + 2) t + 2^-22 |residual| of the exact value, and is
/// then rounded to the nearest half, beyond 65504 to infinity. An element of y depends on its own
/// row of x, column of w, bias and residual alone: if those hold infinities or NaN, it is what IEEE
/// 754 makes of them, and if they hold none, what the others hold does not matter.
///
/// @param x            m k halves.
/// @param w            k n halves.
/// @param bias         n floats.
/// @param residual, y  m n halves.
/// @param m            0 to 16384.
/// @param n, k         multiples of 8, 0 to 16384. Where k is 0, the sums of products are 0.
/// @par Complexity     one kernel; no element of x w is stored in device memory.
void FusedLayer(DeviceSpan<const HalfBits> x, DeviceSpan<const HalfBits> w,
                DeviceSpan<const float> bias, DeviceSpan<const HalfBits> residual,
                DeviceSpan<HalfBits> y, int m, int n, int k, cudaStream_t stream);

/// The columns of the matrices of an attention head.
inline constexpr int kHeadSize = 64;

/// Attention: for each head and each row q of Q, with the rows k_j and v_j of that head,
///
///   s_j = (q . k_j) / 8,    p_j = exp(s_j) / (exp(s_0) + ... + exp(s_{n-1})),
///   o = p_0 v_0 + ... + p_{n-1} v_{n-1},
///
/// where 8 is the square root of kHeadSize. All inputs are finite. Weights may be rounded to halves
/// relative to the largest one. Let e be the largest of gamma(64) (|q| . |k_j|) / 8 over the row's
/// j, and d = 2^-11 + 2 e + (n + 64) 2^-22; then an element o is within
///
///   2 d (p_0 |v_0| + ... + p_{n-1} |v_{n-1}|)  +  2^-24 (|v_0| + ... + |v_{n-1}|)
///
/// of its exact value, where e is at most 0.1.
///
/// @param q, k, v, o   heads n kHeadSize elements: head h begins at h n kHeadSize, and is a
///                     matrix of n rows and kHeadSize columns.
/// @param heads, n     at least 0; n is at most 16384, heads 4096, and heads n 2^24.
/// @par Complexity     one kernel, n^2 kHeadSize multiplications for a head; device memory for none
///                     of the n^2 numbers s_j and p_j.
/// @par Source         Milakov and Gimelshein, Online normalizer calculation for softmax, 2018;
///                     Dao, Fu, Ermon, Rudra and Re, FlashAttention, NeurIPS 2022.
void Attention(DeviceSpan<const HalfBits> q, DeviceSpan<const HalfBits> k,
               DeviceSpan<const HalfBits> v, DeviceSpan<float> o, int heads, int n,
               cudaStream_t stream);
