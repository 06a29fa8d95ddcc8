#pragma once

// What a benchmark runs in turn and prints: medians of CUDA events, and results that are checked.

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
  std::size_t size() const { return size_; }
  DeviceSpan<T> span() const { return {data_, size_}; }
  void Fill(int byte) const { CUDA_CHECK(cudaMemset(data_, byte, size_ * sizeof(T))); }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

struct Contender {
  std::string name;
  std::function<void(cudaStream_t)> run;
  std::function<bool()> is_right;
  std::vector<float> milliseconds{};

  double Median() {
    std::nth_element(milliseconds.begin(), milliseconds.begin() + kRounds / 2, milliseconds.end());
    return milliseconds[kRounds / 2];
  }
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

  float Milliseconds(const std::function<void(cudaStream_t)>& run) {
    CUDA_CHECK(cudaEventRecord(start_, nullptr));
    run(nullptr);
    CUDA_CHECK(cudaEventRecord(stop_, nullptr));
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
      CUDA_CHECK(cudaDeviceSynchronize());
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

inline void PrintHead() {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  int runtime = 0;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("%s, CUDA runtime %d.%d, %s: medians of %d\n", device.name, runtime / 1000,
              runtime % 1000 / 10, date, kRounds);
}

// The first one is what the others are compared with. `bytes` are those that must move.
inline void Print(const char* what, std::size_t n, std::size_t bytes,
                  std::vector<Contender>& contenders) {
  std::printf("\n| %-47s | %8s | %8s | %8s | %6s |\n",
              (std::string(what) + ", n = " + std::to_string(n)).c_str(), "ms", "GB/s", "CUB GB/s",
              "ratio");
  std::printf(
      "| ----------------------------------------------- | -------: | -------: | -------: | "
      "-----: |\n");
  const auto rate = [bytes](Contender& contender) {
    return static_cast<double>(bytes) / contender.Median() / 1e6;
  };
  const double first = rate(contenders.front());
  for (Contender& contender : contenders) {
    std::printf("| %-47s | %8.4f | %8.1f | %8.1f | %6.3f |\n", contender.name.c_str(),
                contender.Median(), rate(contender), first, rate(contender) / first);
  }
}

}  // namespace bench
