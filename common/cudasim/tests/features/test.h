// What tests of .cu files have in common: GoogleTest, device memory, small kernels and numbers.
#pragma once

#include <cuda_runtime.h>

// Host code of a test is not optimized, which would take most of the compile time. Kernels, and
// what they call, are compiled as in labs.
#pragma GCC push_options
#pragma GCC optimize("O0")
#include <gtest/gtest.h>
#pragma GCC pop_options

#include <cstdlib>
#include <vector>

#undef TEST
#define TEST(suite, name)                                         \
  __attribute__((optimize("O0"))) static void Run##suite##name(); \
  GTEST_TEST(suite, name) { Run##suite##name(); }                 \
  static void Run##suite##name()

#define EXPECT_OK(...) EXPECT_EQ((__VA_ARGS__), cudaSuccess)
#define ASSERT_OK(...) ASSERT_EQ((__VA_ARGS__), cudaSuccess)

// The mask of a full warp.
constexpr unsigned kAllLanes = 0xffffffffu;

// An array on the device, freed at the end of its scope.
template <class T>
class DeviceVector {
 public:
  // Of `count` elements whose bytes are zero.
  explicit DeviceVector(std::size_t count) : count_(count) {
    EXPECT_OK(cudaMalloc(&data_, count * sizeof(T)));
    EXPECT_OK(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size()) {
    const std::size_t bytes = count_ * sizeof(T);
    EXPECT_OK(cudaMemcpy(data_, values.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~DeviceVector() { cudaFree(data_); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;

  T* get() const { return data_; }

  std::vector<T> ToHost() const {
    std::vector<T> values(count_);
    const std::size_t bytes = count_ * sizeof(T);
    EXPECT_OK(cudaMemcpy(values.data(), data_, bytes, cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

// Small kernels that many tests launch.
inline __global__ void Nothing() {}
inline __global__ void Set(int* to, int value) { *to = value; }
inline __global__ void AddTo(int* to, int value) { *to += value; }
inline __global__ void Double(int* value) { *value *= 2; }
inline __global__ void Copy(int* to, const int* from) { *to = *from; }
inline __global__ void Sum(int* to, const int* a, const int* b) { *to = *a + *b; }

// `count` numbers in [-limit / 2, limit / 2).
inline std::vector<int> Numbers(int count, int limit = 1000) {
  std::vector<int> values(count);
  unsigned state = 12345;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>((state >> 8) % static_cast<unsigned>(limit)) - limit / 2;
  }
  return values;
}

// `count` numbers in [0, limit).
inline std::vector<int> SmallNumbers(int count, int limit = 100) {
  std::vector<int> values = Numbers(count, limit);
  for (int& value : values) value += limit / 2;
  return values;
}

// What `write` stores in an array of `count` elements on the device.
template <class T, class Write>
__global__ void CallOnDevice(T* out, Write write) {
  write(out);
}

template <class T = float, class Write>
std::vector<T> OnDevice(Write write, std::size_t count) {
  DeviceVector<T> out(count);
  CallOnDevice<<<1, 1>>>(out.get(), write);
  return out.ToHost();
}

// What a kernel of one block stores in an array of `count` elements, whose bytes are zero before.
template <class T>
std::vector<T> StoredBy(void (*kernel)(T*), std::size_t count, unsigned threads) {
  const DeviceVector<T> out(count);
  kernel<<<1, threads>>>(out.get());
  return out.ToHost();
}

// Stores the values one after another.
template <class T, class... Values>
__device__ void StoreAll(T* out, const Values&... values) {
  ((*out++ = static_cast<T>(values)), ...);
}

// Calls `test` in a process of its own, where its expectations must hold and what it writes to
// standard error must match.
inline void ExpectInOwnProcess(void (*test)(), const char* text) {
  EXPECT_EXIT((test(), std::exit(testing::Test::HasFailure() ? 1 : 0)), testing::ExitedWithCode(0),
              text);
}
