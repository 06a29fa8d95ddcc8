#pragma once

#include <cstdint>
#include <span>

#include "common/cuda/device_span.h"

// Floats are 32 bits wide, sizes are numbers of elements. In the three functions that add, a, b and
// c have the same size n, 0 <= n < 2^31, and c[i] = a[i] + b[i] for every i in [0, n): one float
// addition, rounded once, so the result is exact. NaN, infinities, signed zeros and the smallest
// numbers follow IEEE 754. What c held before is overwritten; nothing is read from it.
//
// Spans in device memory begin at a multiple of 256 bytes, as what cudaMalloc gives does. No call
// depends on what another one left behind, and several may be under way at the same time, from
// several threads and on streams of their own.

/// Adds two vectors in host memory on the GPU: the complete host code of one kernel.
///
/// Allocates device memory for the three vectors, copies a and b to it, launches a kernel, copies
/// the result to c and frees the device memory. Every call of the CUDA runtime is checked.
///
/// @param a, b  n numbers each in host memory, read only. They may be the same memory.
/// @param c     n numbers in host memory, not overlapping with a or b. Holds the sum when the call
///              returns: the work is finished, not only started.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
///         fails, the launch included. The device memory is freed then, too. Nothing is thrown for
///         n = 0.
/// @par Memory      3 n floats on the device during the call, none after it.
/// @par Complexity  n additions; 12 n bytes between host and device; a fixed number of copies and
///                  launches, whatever n.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  chapter 2.
void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c);

/// Adds two vectors that are on the device already: one thread for each element, and as many blocks
/// as that takes.
///
/// @param a, b    n numbers each in device memory, read only. They may be the same memory. Host
///                code cannot reach them: pass data() and size() to a kernel.
/// @param c       n numbers in device memory, not overlapping with a or b. Element n and those
///                after it must not be accessed.
/// @param stream  where the kernel is launched. The call may return before the work is done;
///                the caller waits for the stream before it reads c.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when the launch or
///         another call of the runtime fails. What the function allocated is freed then, too. For
///         n = 0 nothing fails: a grid without blocks is an invalid launch, so launch nothing.
/// @par Complexity  n additions, 12 n bytes of device memory read and written; one launch.
/// @par Source      as for VecAddHost.
void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream);

/// The same sum with a grid of fixed size: each thread adds its element, advances by the number of
/// threads in the whole grid, and repeats until it reaches n (a grid-stride loop).
///
/// @param a, b, c, stream  as for VecAdd.
/// @param blocks           the number of blocks in the grid, 1 <= blocks < 2^31. How many threads a
///                         block has is yours to choose. The grid may have fewer threads than c has
///                         elements, or more.
/// @throws as VecAdd.
/// @par Complexity  n additions; n / (blocks * threads) rounds in each thread; one launch.
/// @par Source      Harris, CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops, NVIDIA
///                  Technical Blog, 2013.
void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks);

/// Makes a grey picture brighter or darker and then blurs it: one thread for each pixel, in blocks
/// and a grid of two dimensions.
///
/// Pictures are row-major and without gaps: the pixel in `row` and `column` is number
/// row * width + column. A pixel is a byte, 0 is black and 255 white.
///
///   scaled[row, column]  = picture[row, column] * percent / 100, rounded to the nearest integer, a
///                          half upwards; 255 where that is more than 255 (saturation).
///   blurred[row, column] = the mean of scaled over the pixels (r, c) of the picture with
///                          |r - row| <= radius and |c - column| <= radius, rounded to the nearest
///                          integer, a half upwards. The window is clipped: at the edges of the
///                          picture it has fewer pixels, and the mean is that of those it has.
///
/// All of it is exact in whole numbers, and fits in an int: x / y, rounded so, is (x + y / 2) / y
/// with integer divisions, which round down.
///
/// @param picture  width * height pixels in device memory, read only.
/// @param scaled   as many pixels in device memory; afterwards the picture in its new brightness.
/// @param blurred  as many pixels in device memory; afterwards the blur of `scaled`, not of
///                 `picture`. The three do not overlap. What `scaled` and `blurred` held before is
///                 overwritten; memory behind them must not be accessed.
/// @param width, height  0 <= width, height <= 500,000; fewer than 2^31 pixels. Where one is 0
///                 there are no pixels, and the call does nothing.
/// @param percent  0 <= percent <= 1,000,000: 100 leaves the picture as it is, 200 doubles it.
/// @param radius   0 <= radius <= 1,000: 0 copies; the window may be larger than the picture.
/// @param stream   where the kernels are launched. The call may return before the work is done.
/// @throws as VecAdd.
/// @par Complexity  at most (2 radius + 1)^2 additions a pixel; a fixed number of launches.
/// @par Source      Hwu, Kirk, El Hajj, as above, sections 3.2 and 3.3.
void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream);
