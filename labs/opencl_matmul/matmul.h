#pragma once

#include <span>

// Vectors and matrices of 32-bit floats in the host's memory. Each function does all that a program
// with OpenCL does: it asks for a platform and a device, makes a context and a queue, builds a
// program, copies its inputs into buffers, runs a kernel and copies the result back. The work is
// done by work items on the device; when the function returns, the result is there, and all that it
// made has been released.
//
// Aliasing: outputs do not overlap with inputs; inputs may be the same memory. Outputs are
// overwritten, and nothing is read from them.
//
// Errors: lab::OpenClError (from OPENCL_CHECK), or another std::exception, when a call of OpenCL
// fails. All that the function made is released then, too.
//
// No call depends on what another one left behind.

/// c[i] = a[i] + b[i], rounded once.
///
/// @param a, b, c  n numbers each, 0 <= n < 2^31. Where n is 0 the call does nothing, as a buffer
///                 of 0 bytes is an error.
/// @par Source     OpenCL 1.2 specification, sections 4 to 6.
void VecAdd(std::span<const float> a, std::span<const float> b, std::span<float> c);

/// C = A B, row-major and without gaps: element (row, column) of a matrix with w columns is number
/// row * w + column. One work item computes one element.
///
/// The products may be added in any order, with or without fused multiply-add. With s the exact sum
/// and t that of the products' absolute values, |c - s| <= k u / (1 - k u) t, u = 2^-24.
///
/// @param a, b, c  m k, k n and m n elements.
/// @param m, k, n  1 <= m, k, n <= 100'000; no matrix has 2^31 elements or more.
/// @par Source     Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
/// chapter 3.
void MatMul(std::span<const float> a, std::span<const float> b, std::span<float> c, int m, int k,
            int n);

/// The same through tiles of A and B in local memory. Tiles reach over the edges.
///
/// @param a, b, c, m, k, n  as for MatMul.
/// @par Source              as above, chapter 5.
void MatMulTiled(std::span<const float> a, std::span<const float> b, std::span<float> c, int m,
                 int k, int n);

/// The same with four neighbouring columns of C in a float4 of each work item.
///
/// @param a, b, c, m, k, n  as for MatMul; n is a multiple of 4.
void MatMulVectors(std::span<const float> a, std::span<const float> b, std::span<float> c, int m,
                   int k, int n);
