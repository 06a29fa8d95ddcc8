#pragma once

// How the micro-benchmarks measure: the median of `repeats` launches by CUDA events, each behind a
// kernel that keeps the GPU busy until the host has submitted everything. Results are lines
// "benchmark,x,y,value,unit" on standard output.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "common/cuda/check.h"

namespace calibrate {

inline constexpr int kWarmUps = 2;

__global__ void Busy(long long nanoseconds) {
  long long begin = 0;
  long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

// Microseconds of what `launch` puts on the default stream.
template <typename Launch>
double Microseconds(const Launch& launch, int repeats = 9) {
  static cudaEvent_t begin = nullptr;
  static cudaEvent_t end = nullptr;
  if (begin == nullptr) {
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
  }
  std::vector<double> times;
  for (int i = 0; i < kWarmUps + repeats; ++i) {
    Busy<<<1, 1>>>(40'000);
    CUDA_CHECK(cudaEventRecord(begin));
    launch();
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaGetLastError());
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (i >= kWarmUps) times.push_back(1e3 * milliseconds);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

inline void Print(const char* benchmark, double x, double y, double value,
                  const char* unit = "us") {
  std::printf("%s,%.10g,%.10g,%.6g,%s\n", benchmark, x, y, value, unit);
  std::fflush(stdout);
}

}  // namespace calibrate
