#include "common/timing/amdahl.h"

#include <algorithm>

namespace lab {

double SerialFraction(std::span<const Speedup> curve) {
  // With y = 1 / S - 1 / p and x = 1 - 1 / p the law is the line y = f x through the origin.
  double xy = 0;
  double xx = 0;
  for (const Speedup& speedup : curve) {
    const double share = 1.0 / speedup.threads;
    const double x = 1 - share;
    xy += x * (1 / speedup.times - share);
    xx += x * x;
  }
  return std::clamp(xy / xx, 0.0, 1.0);
}

}  // namespace lab
