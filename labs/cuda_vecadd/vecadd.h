#pragma once

#include <span>

#include "common/cuda/device_span.h"

/// Adds two vectors that lie in host memory, on the device: c[i] = a[i] + b[i].
///
/// The lesson is the host code: allocate device memory, copy the inputs there, launch a kernel,
/// copy the sums back, free the memory, and look at what every call of the CUDA runtime returns.
///
/// @param a, b  n numbers each in host memory, n >= 0, read only. They may be the same memory.
/// @param c     room for n sums in host memory, not overlapping with `a` and `b`. All of it is
///              written, and nothing else. Each sum is the float nearest to the exact one; NaN,
///              infinities and overflow follow IEEE 754.
/// @throws lab::CudaError (CUDA_CHECK in common/cuda/check.h) if a CUDA call fails.
/// @par Ownership   The call frees all the device memory it allocates. When it returns, the work is
///                  done.
/// @par Complexity  2 n floats copied to the device, n copied back, in a fixed number of copies and
///                  launches; n additions.
void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c);

/// Adds two vectors that lie in device memory: c[i] = a[i] + b[i].
///
/// The lesson is the kernel and its grid: one thread an element, for any n.
///
/// @param a, b    n numbers each in device memory, n >= 0, read only. They may be the same memory.
/// @param c       room for n sums in device memory, not overlapping with `a` and `b`; written as by
///                VecAddHost.
/// @param stream  the stream to work on. The call may return before the work is done, but by then
///                all of it must be queued in `stream`. Not to be destroyed.
/// @throws lab::CudaError if a CUDA call fails.
/// @par Complexity  One launch, n threads that work; no device memory is allocated.
void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream);

/// The same with a grid of a given size, whatever n is.
///
/// The lesson is the grid-stride loop: a thread adds its first element, then the one that lies a
/// whole grid further on, and so forth to the end.
///
/// @param a, b, c, stream  as for VecAdd. n may be many times the number of threads, or less.
/// @param blocks           how many blocks to launch, 1 <= blocks <= 2^31 - 1. How many threads a
///                         block has is free.
/// @throws lab::CudaError if a CUDA call fails.
/// @par Complexity  One launch of `blocks` blocks, n additions; no device memory is allocated.
void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks);
