#pragma once

#include <cstdint>
#include <span>

// A parallel region of the caller may call these functions, too. If it nests no regions, as OpenMP
// does by default, those of the function get one thread; the result is the same.

/// Adds a multiple of one vector to another, out[i] = a * x[i] + y[i], in parallel.
///
/// @param a     Any float.
/// @param x, y  n numbers each, n >= 0, read only. They may be the same, not overlap otherwise.
/// @param out   n numbers, overlapping with neither `x` nor `y`. What they held is overwritten.
///              Each element may be rounded in any of three ways, and not all in the same:
///                twice   the product to float, then the sum to float
///                once    the exact sum to float, as std::fma does
///                through double   the exact sum to double, and that to float
///              NaN and infinities follow IEEE 754; which NaN is free.
/// @par Thread safety   Several callers may add at the same time, each into an output of its own.
/// @par Complexity      n multiplications and additions, shared by the threads of the region.
void ScaledAdd(float a, std::span<const float> x, std::span<const float> y, std::span<float> out);

/// The part of the complex plane that an image shows, and the limit of its counts. Pixel (row,
/// column) shows the point c with
///   re(c) = left + column * step,   im(c) = top - row * step,
/// computed in double. There the products are exact, and only the sum and the difference round.
struct View {
  float left;           ///< re(c) of column 0; finite
  float top;            ///< im(c) of row 0; finite
  float step;           ///< from pixel to pixel; finite
  std::int32_t width;   ///< columns, 0 to 65536
  std::int32_t height;  ///< rows, 0 to 65536
  std::int32_t limit;   ///< the largest number of steps of a pixel, 0 to 65535
};

/// Counts for each pixel the steps that z := z * z + c takes from z = 0 out of the circle of radius
/// 2, in parallel: the escape times of the Mandelbrot set.
///
/// @param view   What to compute.
/// @param image  width * height counts, row by row: (row, column) is at row * width + column. What
///               they held is overwritten. The count of a pixel is
///                 float x = 0, y = 0;  int count = 0;
///                 while (count < limit && x * x + y * y <= 4) { x, y = step(x, y); ++count; }
///               where `step` gives (both from the old x and y)
///                 new x = (x * x - y * y) + re(c)
///                 new y = (2 * x * y) + im(c)
///               All this arithmetic is in double, and only the new x and y are rounded to float.
///               So every product has two factors of 24 bits and is exact, fused operations change
///               nothing, and there is exactly one right count for each pixel, on every machine.
/// @par Thread safety   Several callers may compute at the same time, each its own image.
/// @par Complexity      The sum of all counts, shared evenly by the threads of the region, although
///                      one row may cost 65535 times as much as another.
void EscapeTimes(View view, std::span<std::uint16_t> image);

/// Turns a signal into whole numbers of 16 bits, by four maps in a row, in parallel.
///
/// @param gain, offset  Finite.
/// @param signal   n finite numbers, n >= 0, read only, for which |gain * signal[i]| and |offset|
///                 are at most 2^100.
/// @param samples  n numbers, not overlapping with `signal`. What they held is overwritten.
///                   amplified = gain * signal[i] + offset
///                   limited   = amplified / (1 + |amplified|)
///                   shaped    = limited * (1.5 - 0.5 * limited * limited)
///                   sample    = the whole number nearest to 32768 + 32767 * shaped
///                 Computing in float is enough, fused or not: with the exact value
///                 v = 32768 + 32767 * shaped every whole number is right for which
///                   |sample - v| <= 0.5 + 49151 * e + 2^-6
///                 where e = 2^-24 * (|gain * signal[i]| + |amplified|) is the rounding error of
///                 `amplified`, 49151 the largest slope of the maps after it, and 2^-6 more than
///                 all their own rounding errors.
/// @par Thread safety   Several callers may digitize at the same time, each into its own samples.
/// @par Complexity      O(n), shared by the threads of the region. Each number of the signal is
///                      read from memory once and each sample written once; nothing of size n is
///                      needed in between.
void Digitize(float gain, float offset, std::span<const float> signal,
              std::span<std::uint16_t> samples);
