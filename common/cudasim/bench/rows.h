// The rows of the benchmark: the launch and the check of its results.
#pragma once

#include <cstddef>
#include <vector>

#include "common/cudasim/bench/kernels.h"

// An array on the device.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t size) : size_(size) {
    if (cudaMalloc(&data_, size * sizeof(T)) != cudaSuccess) data_ = nullptr;
  }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    (void)cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~OnDevice() { (void)cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() const { return data_; }
  void Clear() { (void)cudaMemset(data_, 0, size_ * sizeof(T)); }
  std::vector<T> ToHost() const {
    std::vector<T> values(size_);
    (void)cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

class Row {
 public:
  virtual ~Row() = default;
  virtual void Clear() = 0;   // clears the results of the last launch; not timed
  virtual void Launch() = 0;  // one launch, asynchronous
  virtual bool IsRight() = 0;
};

// Values are small integers, so that sums are exact in any order.
inline std::vector<float> SmallValues(std::size_t size, unsigned seed) {
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>((seed = seed * 1664525u + 1) >> 29);
  return values;
}

class AddVectorsRow : public Row {
 public:
  explicit AddVectorsRow(int n)
      : n_(n),
        host_a_(SmallValues(n, 1)),
        host_b_(SmallValues(n, 2)),
        a_(host_a_),
        b_(host_b_),
        c_(n) {}
  void Clear() override { c_.Clear(); }
  void Launch() override {
    BENCH_LAUNCH(AddVectors, (n_ + kBlock - 1) / kBlock, kBlock, a_.data(), b_.data(), c_.data(),
                 n_);
  }
  bool IsRight() override {
    const std::vector<float> c = c_.ToHost();
    for (int i = 0; i < n_; ++i) {
      if (c[i] != host_a_[i] + host_b_[i]) return false;
    }
    return true;
  }

 private:
  int n_;
  std::vector<float> host_a_, host_b_;
  OnDevice<float> a_, b_, c_;
};

class SumBlocksRow : public Row {
 public:
  explicit SumBlocksRow(int n)
      : n_(n),
        blocks_((n + 2 * kBlock - 1) / (2 * kBlock)),
        host_(SmallValues(n, 3)),
        in_(host_),
        sums_(blocks_) {}
  void Clear() override { sums_.Clear(); }
  void Launch() override { BENCH_LAUNCH(SumBlocks, blocks_, kBlock, in_.data(), sums_.data(), n_); }
  bool IsRight() override {
    double wanted = 0, sum = 0;
    for (const float value : host_) wanted += value;
    for (const float value : sums_.ToHost()) sum += value;
    return sum == wanted;
  }

 private:
  int n_, blocks_;
  std::vector<float> host_;
  OnDevice<float> in_, sums_;
};

class MultiplyTilesRow : public Row {
 public:
  explicit MultiplyTilesRow(int n)
      : n_(n),
        host_a_(SmallValues(n * n, 4)),
        host_b_(SmallValues(n * n, 5)),
        a_(host_a_),
        b_(host_b_),
        c_(n * n) {}
  void Clear() override { c_.Clear(); }
  void Launch() override {
    const dim3 grid(n_ / kTile, n_ / kTile);
    BENCH_LAUNCH(MultiplyTiles, grid, dim3(kTile, kTile), a_.data(), b_.data(), c_.data(), n_);
  }
  // Compares the sum of every row: c * ones = a * (b * ones), exact in small integers.
  bool IsRight() override {
    std::vector<double> b_ones(n_, 0.0);
    for (int i = 0; i < n_ * n_; ++i) b_ones[i / n_] += host_b_[i];
    const std::vector<float> c = c_.ToHost();
    for (int row = 0; row < n_; ++row) {
      double wanted = 0, sum = 0;
      for (int i = 0; i < n_; ++i) {
        wanted += host_a_[row * n_ + i] * b_ones[i];
        sum += c[row * n_ + i];
      }
      if (sum != wanted) return false;
    }
    return true;
  }

 private:
  int n_;
  std::vector<float> host_a_, host_b_;
  OnDevice<float> a_, b_, c_;
};

class CountBytesRow : public Row {
 public:
  explicit CountBytesRow(int n) : n_(n), in_(MakeBytes(n)), bins_(kBlock), wanted_(kBlock, 0) {
    for (const unsigned char byte : MakeBytes(n)) ++wanted_[byte];
  }
  void Clear() override { bins_.Clear(); }
  void Launch() override { BENCH_LAUNCH(CountBytes, 64, kBlock, in_.data(), bins_.data(), n_); }
  bool IsRight() override { return bins_.ToHost() == wanted_; }

 private:
  static std::vector<unsigned char> MakeBytes(int n) {
    std::vector<unsigned char> bytes(n);
    for (int i = 0; i < n; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 24);
    return bytes;
  }
  int n_;
  OnDevice<unsigned char> in_;
  OnDevice<unsigned> bins_;
  std::vector<unsigned> wanted_;
};
