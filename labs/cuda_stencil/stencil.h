#pragma once

#include "common/cuda/device_span.h"

// A grid of width x height x depth cells, one 32-bit float each. Cell (x, y, z) is number
//
//   (z * height + y) * width + x,    0 <= x < width, 0 <= y < height, 0 <= z < depth.
//
// A cell is on the boundary if x is 0 or width - 1, or y is 0 or height - 1, or z is 0 or depth
// - 1. One step of the stencil leaves the boundary as it is and gives every other cell the weighted
// sum of itself and its six neighbours:
//
//   next(x, y, z) = c0 * cell(x, y, z)
//                 + c1 * cell(x - 1, y, z) + c2 * cell(x + 1, y, z)
//                 + c3 * cell(x, y - 1, z) + c4 * cell(x, y + 1, z)
//                 + c5 * cell(x, y, z - 1) + c6 * cell(x, y, z + 1).
//
// All on the right-hand side are values from before the step. Where a dimension is less than 3, all
// cells are on the boundary.
//
// Sizes: 0 <= width <= 2^30 and 0 <= height, depth <= 65,535, so that a launch may have a block for
// each row and each slice; fewer than 2^31 cells. If a dimension is 0 there are no cells and the
// call does nothing: a grid without blocks is an invalid launch. Spans begin at a multiple of 256
// bytes, as what cudaMalloc gives does; rows do only if the width makes them.
//
// Aliasing: the spans of a call do not overlap. `in` is not written. What `out` held before is
// overwritten, in every cell, and nothing is read from it before it is written. Memory behind a
// span must not be accessed.
//
// Rounding: the seven products may be added in any order, with or without fused multiply-add. Each
// is rounded once and takes part in at most 6 rounded additions, so that after t steps
//
//   |cell - exact| <= gamma * size    with    gamma = 7 t u / (1 - 7 t u),  u = 2^-24,
//
// where `size` is the result of t steps without rounding on the absolute values of `in` with the
// absolute values of the weights. It is required only if no product or intermediate sum leaves the
// range of normal floats. Whole numbers for which `size` stays up to 2^24 are exact. Cells on the
// boundary are exact always.
//
// Special values: after t steps a cell depends on the cells up to t steps away, and on no others.
// If these hold infinities or NaN, it is what IEEE 754 makes of the products and sums; if they hold
// none, it is finite.
//
// Stream: all work is launched into `stream`. The calls may return before it is done; the caller
// waits for the stream before it reads the result. No call depends on what another one left behind,
// and several may be under way at the same time on streams of their own, from several threads, each
// with weights of its own.
//
// Errors: lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
// fails, a launch included. What the function allocated is freed then, too.

/// The weights of a cell and of its neighbours. They may be any numbers.
struct Weights {
  float c0;      // the cell itself
  float c1, c2;  // x - 1, x + 1
  float c3, c4;  // y - 1, y + 1
  float c5, c6;  // z - 1, z + 1
};

/// One step. One thread computes one cell, straight from device memory.
///
/// @param in, out  width height depth cells each: before and after the step.
/// @par Complexity  7 multiplications and 6 additions a cell; one launch.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  section 8.2.
void Stencil(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height, int depth,
             Weights weights, cudaStream_t stream);

/// The same step through tiles in shared memory: a block's cells and the halo around them.
///
/// @param in, out, width, height, depth, weights  as for Stencil.
/// @par Memory      with tiles of a x b x c cells, device memory is read about
///                  1 + 2/a + 2/b + 2/c times instead of 7.
/// @par Source      as above, section 8.3.
void StencilTiled(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                  int depth, Weights weights, cudaStream_t stream);

/// The same step slice by slice: a block moves along z with one slice of its tile in shared memory,
/// and each thread has the cells below and above its own in registers.
///
/// @param in, out, width, height, depth, weights  as for Stencil.
/// @par Memory      with tiles of a x b cells, device memory is read about 1 + 2/a + 2/b times, and
///                  shared memory 4 times a cell.
/// @par Source      as above, sections 8.4 and 8.5; Micikevicius, 3D Finite Difference
///                  Computation on GPUs using CUDA, GPGPU-2, 2009.
void StencilSliced(DeviceSpan<const float> in, DeviceSpan<float> out, int width, int height,
                   int depth, Weights weights, cudaStream_t stream);

/// Several steps, one after the other.
///
/// @param in       the cells before the first step.
/// @param out      the cells after the last one; those of `in` if there is none.
/// @param scratch  as many cells for intermediate results. It holds arbitrary values before and
///                 after the call.
/// @param width, height, depth, weights  as for Stencil.
/// @param steps    0 <= steps <= 1,000.
/// @par Memory      a launch that makes one step reads and writes every cell; one that makes two
///                  does so half as often.
/// @par Complexity  steps times that of Stencil, and up to twice that for what tiles compute more
///                  than once; at most steps + 1 launches.
/// @par Source      Nguyen, Satish, Chhugani, Kim, Dubey, 3.5-D Blocking Optimization for Stencil
///                  Computations on Modern CPUs and GPUs, SC 2010.
void StencilSteps(DeviceSpan<const float> in, DeviceSpan<float> out, DeviceSpan<float> scratch,
                  int width, int height, int depth, Weights weights, int steps,
                  cudaStream_t stream);
