#pragma once

// Device memory of a benchmark or a test program.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/device_span.h"

namespace lab {

// `size()` elements of T in memory of the current device, freed by the destructor; not initialised.
// T is trivially copyable. A const array's elements may be written, as those of a std::span. A call
// that fails throws CudaError. Threads may share an array as they may share what the kernels do
// with its elements.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) { CUDA_CHECK(cudaMalloc(&data_, bytes())); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    CUDA_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  T* end() const { return data_ + size_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  DeviceSpan<T> span() const { return {data_, size_}; }

  // Sets every byte, on the default stream; the host need not have waited for it.
  void Fill(int byte) const { CUDA_CHECK(cudaMemset(data_, byte, bytes())); }

  // Copies of all elements, and of element 0, which must exist. They wait for the default stream.
  std::vector<T> OnHost() const {
    std::vector<T> values(size_);
    CUDA_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }
  T First() const {
    T value;
    CUDA_CHECK(cudaMemcpy(&value, data_, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace lab
