// Device memory for tests.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

// The mask of a full warp.
constexpr unsigned kAllLanes = 0xffffffffu;

// An array on the device, freed at the end of its scope.
template <class T>
class DeviceVector {
 public:
  // Of `count` elements whose bytes are zero.
  explicit DeviceVector(std::size_t count) : count_(count) {
    EXPECT_EQ(cudaMalloc(&data_, count * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemset(data_, 0, count * sizeof(T)), cudaSuccess);
  }
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size()) {
    const std::size_t bytes = count_ * sizeof(T);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~DeviceVector() { cudaFree(data_); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;

  T* get() const { return data_; }

  std::vector<T> ToHost() const {
    std::vector<T> values(count_);
    const std::size_t bytes = count_ * sizeof(T);
    EXPECT_EQ(cudaMemcpy(values.data(), data_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};
