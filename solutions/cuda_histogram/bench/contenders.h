#pragma once

// What a benchmark runs in turn and prints: medians of CUDA events, and results that are checked.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
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
  explicit DeviceArray(std::size_t n) : size_(n) { CUDA_CHECK(cudaMalloc(&data_, bytes())); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  DeviceSpan<T> span() const { return {data_, size_}; }
  std::vector<T> OnHost() const {
    std::vector<T> values(size_);
    CUDA_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

// A histogram of `bins` on a stream.
struct Contender {
  std::string name;
  std::function<void(DeviceSpan<unsigned> bins, cudaStream_t)> run;
  std::vector<float> milliseconds{};

  double Median() {
    std::nth_element(milliseconds.begin(), milliseconds.begin() + kRounds / 2, milliseconds.end());
    return milliseconds[kRounds / 2];
  }
};

// One input, how many bytes it has, and the counts that it must give.
struct Case {
  std::string name;
  std::size_t bytes;
  std::vector<unsigned> want;
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
    CUDA_CHECK(cudaEventRecord(start_, nullptr));
    run();
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

inline bool IsRight(const DeviceArray<unsigned>& bins, const Case& input, const Contender& by) {
  if (bins.OnHost() == input.want) return true;
  std::fprintf(stderr, "error: wrong counts: %s: %s\n", input.name.c_str(), by.name.c_str());
  return false;
}

// Runs all in turn, each on poisoned bins; false as soon as counts are wrong.
inline bool RunAll(std::vector<Contender>& contenders, const Case& input) {
  const DeviceArray<unsigned> bins(input.want.size());
  Stopwatch stopwatch;
  for (int round = -kWarmUp; round < kRounds; ++round) {
    for (Contender& contender : contenders) {
      CUDA_CHECK(cudaMemset(bins.data(), 0xa5, bins.bytes()));
      CUDA_CHECK(cudaDeviceSynchronize());
      const float milliseconds =
          stopwatch.Milliseconds([&] { contender.run(bins.span(), nullptr); });
      if (!IsRight(bins, input, contender)) return false;
      if (round >= 0) contender.milliseconds.push_back(milliseconds);
    }
  }
  return true;
}

// Two calls at once, on streams that do not wait for each other.
inline bool RunSideBySide(const Contender& contender, const Case& input) {
  const DeviceArray<unsigned> left(input.want.size());
  const DeviceArray<unsigned> right(input.want.size());
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  contender.run(left.span(), streams[0]);
  contender.run(right.span(), streams[1]);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (const cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
  return IsRight(left, input, contender) && IsRight(right, input, contender);
}

inline void PrintHead() {
  std::printf("| %-30s | %-40s | %8s | %8s | %6s |\n", "case", "what", "GB/s", "CUB GB/s", "ratio");
  std::printf(
      "| ------------------------------ | ---------------------------------------- | "
      "-------: | -------: | -----: |\n");
}

// The first one is what the others are compared with.
inline void Print(std::vector<Contender>& contenders, const Case& input) {
  const auto rate = [&](Contender& contender) {
    return static_cast<double>(input.bytes) / contender.Median() / 1e6;
  };
  const double peer = rate(contenders.front());
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    const double mine = rate(contenders[i]);
    std::printf("| %-30s | %-40s | %8.1f | %8.1f | %6.3f |\n", input.name.c_str(),
                contenders[i].name.c_str(), mine, peer, mine / peer);
  }
}

}  // namespace bench
