#pragma once

// What the benchmarks run in turn and print: medians of CUDA events, and results that are checked.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/device_span.h"

namespace bench {

inline constexpr int kWarmUp = 3;
inline constexpr int kRounds = 21;

// n elements of device memory.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : size_(n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T))); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  T* end() const { return data_ + size_; }
  DeviceSpan<T> span() const { return {data_, size_}; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  void Poison() const { CUDA_CHECK(cudaMemset(data_, 0xa5, bytes())); }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

struct Contender {
  std::string name;
  std::size_t bytes;  // that must be read and written
  std::function<void()> run;
  std::function<bool()> is_right;
  std::vector<float> milliseconds{};

  double Median() {
    std::nth_element(milliseconds.begin(), milliseconds.begin() + kRounds / 2, milliseconds.end());
    return milliseconds[kRounds / 2];
  }
  double Rate() { return static_cast<double>(bytes) / Median() / 1e6; }
};

class Stopwatch {
 public:
  Stopwatch() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  float Milliseconds(const std::function<void()>& run) {
    CUDA_CHECK(cudaEventRecord(start_));
    run();
    CUDA_CHECK(cudaEventRecord(stop_));
    CUDA_CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds;
  }

 private:
  cudaEvent_t start_{};
  cudaEvent_t stop_{};
};

// Runs all in turn, each after `poison`; false as soon as a result is wrong.
inline bool RunAll(std::vector<Contender>& contenders, const std::function<void()>& poison) {
  Stopwatch stopwatch;
  for (int round = -kWarmUp; round < kRounds; ++round) {
    for (Contender& contender : contenders) {
      poison();
      const float milliseconds = stopwatch.Milliseconds(contender.run);
      if (!contender.is_right()) {
        std::fprintf(stderr, "error: wrong result: %s\n", contender.name.c_str());
        return false;
      }
      if (round >= 0) contender.milliseconds.push_back(milliseconds);
    }
  }
  return true;
}

// The first two are what the others are compared with; `second` is the second one's name in short.
inline void Print(std::vector<Contender>& contenders, const char* second) {
  std::printf("| %-44s | %8s | %8s | %8s | %9s |\n", "what", "ms", "GB/s", "of copy", second);
  std::printf(
      "| -------------------------------------------- | -------: | -------: | -------: | --------: "
      "|\n");
  const double copy = contenders[0].Rate();
  const double other = contenders[1].Rate();
  for (Contender& contender : contenders) {
    const double rate = contender.Rate();
    std::printf("| %-44s | %8.4f | %8.1f | %8.3f | %9.3f |\n", contender.name.c_str(),
                contender.Median(), rate, rate / copy, rate / other);
  }
  std::printf("\n");
}

inline void PrintMachine() {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  int runtime = 0;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("%s, CUDA runtime %d.%d, %s, medians of %d\n\n", device.name, runtime / 1000,
              runtime % 1000 / 10, date, kRounds);
}

// `bytes` from one place of the device to another.
inline Contender Copy(void* to, const void* from, std::size_t bytes,
                      const std::function<bool()>& is_right) {
  return {"cudaMemcpy, device to device", 2 * bytes,
          [=] { CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); },
          is_right};
}

}  // namespace bench
