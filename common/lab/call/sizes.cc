#include "common/lab/call/sizes.h"

#include <algorithm>
#include <stdexcept>

#include "common/lab/call/run_settings.h"

namespace lab {

std::vector<std::size_t> EdgeSizes(std::size_t width) {
  if (width == 0) throw std::invalid_argument("error: width of edge sizes: 0, limit at least 1");
  std::vector<std::size_t> sizes = {0,
                                    1,
                                    2,
                                    3,
                                    width - 1,
                                    width,
                                    width + 1,
                                    2 * width - 1,
                                    2 * width,
                                    2 * width + 1,
                                    5 * width + width / 2 + 1};
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::size_t Scaled(std::size_t n) {
  internal::NoteScaled();
  const std::size_t divisor = internal::ScaleDivisor();
  return n / divisor + (n % divisor != 0);
}

bool IsScaled() { return internal::ScaleDivisor() > 1; }

std::size_t TimedSize(std::size_t n, std::size_t on_gpu) {
  return internal::TimesGpu() ? on_gpu : Scaled(n);
}

}  // namespace lab
