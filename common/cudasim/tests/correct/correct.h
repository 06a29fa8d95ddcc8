// A program of several correct cases; the command line selects one.  Check mode must report nothing
// about any of them, and the results must be right.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <vector>

struct Case {
  const char* name;
  bool (*run)();  // true if the device's results are right
};

#define CASE(function) \
  { #function, function }

// Runs the case that the first argument names.  Returns 0, 1 if its results are wrong or CUDA has
// an error, 2 if there is no such case.
inline int RunCase(int argc, char** argv, std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    if (argc != 2 || std::strcmp(argv[1], one.name) != 0) continue;
    const bool right = one.run();
    const cudaError_t error = cudaDeviceSynchronize();
    if (right && error == cudaSuccess && cudaGetLastError() == cudaSuccess) return 0;
    std::fprintf(stderr, "error: %s: %s\n", one.name,
                 error == cudaSuccess ? "wrong results" : cudaGetErrorString(error));
    return 1;
  }
  std::fprintf(stderr, "error: no such case: %s\n", argc == 2 ? argv[1] : "(none)");
  return 2;
}

// Device memory of `count` elements, freed at the end of its scope.
template <class T>
class DeviceArray {
 public:
  // All bytes are zero.
  explicit DeviceArray(std::size_t count) : count_(count) {
    cudaMalloc(&data_, count * sizeof(T));
    cudaMemset(data_, 0, count * sizeof(T));
  }
  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    cudaMalloc(&data_, count_ * sizeof(T));
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return data_; }

  std::vector<T> ToHost() const {
    std::vector<T> values(count_);
    cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

// Small numbers in no simple order, the same in every run.
inline std::vector<int> Numbers(std::size_t count, int limit = 100) {
  std::vector<int> values(count);
  unsigned state = 12345;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>((state >> 8) % static_cast<unsigned>(limit));
  }
  return values;
}
