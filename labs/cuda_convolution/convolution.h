#pragma once

#include "common/cuda/device_span.h"

// An image of width x height pixels, one 32-bit float each. Pixel (x, y) is number y * width + x,
// 0 <= x < width, 0 <= y < height. A mask of radii (rx, ry) has (2 rx + 1) (2 ry + 1) weights; the
// one for the neighbour at distance (dx, dy) is number
//
//   (dy + ry) * (2 rx + 1) + (dx + rx),    -rx <= dx <= rx,  -ry <= dy <= ry.
//
// Every pixel becomes the sum of its neighbours, each times its weight:
//
//   out(x, y) = sum over dy and dx of mask(dx, dy) * in(x + dx, y + dy),
//
// where pixels outside the image count as 0 (in part 6 as `boundary` says). The mask is not
// reversed: mask(1, 0) belongs to the neighbour on the right.
//
// Sizes: 0 <= width <= 2^30 and 0 <= height <= 65,535, so that a launch may have a block for each
// row; fewer than 2^31 pixels. In part 6 width <= 131,072 and height <= 65,000, as for textures.
// Where width or height is 0 there are no pixels and the call does nothing: a grid without blocks
// is an invalid launch. A radius may be 0, and the mask may be larger than the image. Spans begin
// at a multiple of 256 bytes; rows do only if the width makes them.
//
// Aliasing: the spans of a call do not overlap. `in` and masks are not written. What `out` held
// before is overwritten, in every pixel, and nothing is read from it before it is written. Memory
// outside a span (beyond its end) must not be accessed.
//
// Rounding: the n products of a sum may be added in any order, with or without fused multiply-add.
// Each is rounded once and takes part in at most n - 1 rounded additions, so that
//
//   |out(x, y) - exact| <= gamma * size    with    gamma = n u / (1 - n u),  u = 2^-24,
//
// where `size` is the same sum of the products' absolute values, and n the number of weights in the
// mask (in part 4 those of both masks). It is required only if no product or intermediate sum
// leaves the range of normal floats. Whole numbers whose `size` stays up to 2^24 are exact.
//
// Special values: weights are finite. A pixel of `out` depends on the pixels of `in` under its mask
// (in part 6 on those that stand for pixels outside the image, too) and on no others. If these hold
// infinities or NaN, it is what IEEE 754 makes of the products and sums; if they hold none, it is
// finite.
//
// Stream: all work is launched into `stream`. The calls may return before it is done; the caller
// waits for the stream before it reads the result. No call depends on what another one left behind.
// A __constant__ variable exists once for all calls, so the caller has at most one call of parts 1
// to 4 and 6 under way at a time. Calls of part 5 may run at the same time, on streams of their
// own, from several threads.
//
// Errors: lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
// fails, a launch included. What the function allocated is freed then, too.

inline constexpr int kMaxRadius = 8;            // of a mask in parts 1 to 3, and 6
inline constexpr int kMaxSeparableRadius = 32;  // of the two masks in part 4

/// One thread computes one pixel, with the mask in constant memory.
///
/// @param in, out  width height pixels each.
/// @param mask     (2 radius + 1)^2 weights: both radii are `radius`.
/// @param radius   0 <= radius <= kMaxRadius.
/// @par Complexity  (2 radius + 1)^2 multiplications and additions a pixel; one launch and one copy
///                  of the mask.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  sections 7.2 and 7.3.
void Convolve(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
              int width, int height, int radius, cudaStream_t stream);

/// The same through tiles in shared memory: a block's pixels and the halo around them.
///
/// @param in, mask, out, width, height, radius  as for Convolve.
/// @par Memory      with tiles of a x b pixels, device memory is read about
///                  (1 + 2 radius / a) (1 + 2 radius / b) times instead of (2 radius + 1)^2.
/// @par Source      as above, section 7.4.
void ConvolveTiled(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                   int width, int height, int radius, cudaStream_t stream);

/// The same with tiles that hold a block's own pixels alone: the halo is read from device memory
/// whenever it is needed, in the expectation that the cache has it.
///
/// @param in, mask, out, width, height, radius  as for Convolve.
/// @par Memory      each pixel is stored in shared memory once.
/// @par Source      as above, section 7.5.
void ConvolveCached(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                    int width, int height, int radius, cudaStream_t stream);

/// A mask that is a product, mask(dx, dy) = row(dx) * column(dy), in two passes:
///
///   scratch(x, y) = sum over dx of row(dx) * in(x + dx, y),
///   out(x, y)     = sum over dy of column(dy) * scratch(x, y + dy),
///
/// or first along y and then along x: rounding aside, the result is the same.
///
/// @param in, out      width height pixels each.
/// @param row, column  2 radius + 1 weights each, beginning with that for -radius.
/// @param scratch      width height pixels for the result of the first pass. It holds arbitrary
///                     values before and after the call.
/// @param radius       0 <= radius <= kMaxSeparableRadius.
/// @par Complexity     2 (2 radius + 1) multiplications and additions a pixel; two launches.
/// @par Source         Podlozhnyuk, Image Convolution with CUDA, NVIDIA, 2007.
void ConvolveSeparable(DeviceSpan<const float> in, DeviceSpan<const float> row,
                       DeviceSpan<const float> column, DeviceSpan<float> out,
                       DeviceSpan<float> scratch, int width, int height, int radius,
                       cudaStream_t stream);

/// A mask of any size: also one that does not fit into the 65,536 bytes of constant memory.
///
/// @param in, out             width height pixels each.
/// @param mask                (2 radius_x + 1) (2 radius_y + 1) weights.
/// @param radius_x, radius_y  0 <= radius_x, radius_y; the mask has fewer than 2^24 weights.
/// @par Memory      a thread with r pixels in a column reads one pixel and one weight from shared
///                  memory for every r products.
/// @par Source      as above, section 6.3 on coarsening; Volkov and Demmel, Benchmarking GPUs to
///                  Tune Dense Linear Algebra, SC 2008, on results in registers.
void ConvolveLarge(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                   int width, int height, int radius_x, int radius_y, cudaStream_t stream);

/// What pixels outside the image are, for instance those of a row a b c d:
enum class Boundary {
  kConstant,  // 0 0 0 0 | a b c d | 0 0 0 0   `outside`, whatever that is, instead of 0
  kClamp,     // a a a a | a b c d | d d d d   the nearest pixel
  kReflect,   // d c b a | a b c d | d c b a   a mirror stands at the edge
  kPeriodic,  // a b c d | a b c d | a b c d   the image is repeated
};

/// As Convolve(), but with any boundary, through a texture.
///
/// @param in, mask, out, width, height, radius  as for Convolve.
/// @param boundary  what is outside, along x and along y. kReflect and kPeriodic go on beyond what
///                  the rows above show, as often as the mask needs.
/// @param outside   a finite number. Only kConstant uses it.
/// @par Memory      room for a copy of the image, which the call allocates and frees. It may wait
///                  for the stream.
/// @par Source      NVIDIA, CUDA C++ Programming Guide, appendix "Texture Fetching".
void ConvolveTexture(DeviceSpan<const float> in, DeviceSpan<const float> mask,
                     DeviceSpan<float> out, int width, int height, int radius, Boundary boundary,
                     float outside, cudaStream_t stream);
