#pragma once

#include <span>

namespace lab {

// How many times as fast as one thread a team of this size is.
struct Speedup {
  int threads;
  double times;
};

// The share of the work that only one thread does, as these speedups tell it: the f in [0, 1] that
// fits 1 / S(p) = f + (1 - f) / p best by least squares. `curve` needs a size above 1, and every
// speedup is positive. O(n).
//
// Source: G. M. Amdahl, Validity of the single processor approach to achieving large scale
// computing capabilities, AFIPS 1967.
double SerialFraction(std::span<const Speedup> curve);

}  // namespace lab
