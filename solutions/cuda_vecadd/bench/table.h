#pragma once

// What both benchmarks print, and the copy that they compare with.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/contest.h"

namespace bench {

// The first two are what the others are compared with; `second` is the second one's name in short.
inline void Print(const std::vector<lab::Contender>& contenders, const char* second) {
  std::printf("| %-44s | %8s | %8s | %8s | %9s |\n", "what", "ms", "GB/s", "of copy", second);
  std::printf(
      "| -------------------------------------------- | -------: | -------: | -------: | --------: "
      "|\n");
  const double copy = contenders[0].Rate();
  const double other = contenders[1].Rate();
  for (const lab::Contender& contender : contenders) {
    const double rate = contender.Rate();
    std::printf("| %-44s | %8.4f | %8.1f | %8.3f | %9.3f |\n", contender.name.c_str(),
                contender.Median(), rate, rate / copy, rate / other);
  }
  std::printf("\n");
}

inline void PrintMachine() {
  std::printf("%s, medians of %d\n\n", lab::Machine().c_str(), lab::kContestRounds);
}

// `bytes` from one place of the device to another.
inline lab::Contender Copy(void* to, const void* from, std::size_t bytes,
                           const std::function<bool()>& is_right) {
  return {"cudaMemcpy, device to device", 2.0 * static_cast<double>(bytes),
          [=] { CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); },
          is_right};
}

}  // namespace bench
