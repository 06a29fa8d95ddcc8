#pragma once

// What the contract header of a CUDA lab needs. Compiles without CUDA: the grader's checker sees
// contracts, not devices.

#include <cstddef>
#include <type_traits>

#include "common/lab/call/parameter.h"

// The stream handle of the CUDA runtime, declared exactly as cuda_runtime.h does.
struct CUstream_st;
typedef struct CUstream_st* cudaStream_t;

namespace lab {

// `size()` elements at `data()` in device memory: what std::span is for host memory. A handle for
// host code: it owns nothing and cannot be dereferenced on the host; kernels take data() and
// size(). Trivially copyable. const T says input, as for std::span.
template <typename T>
class DeviceSpan {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr DeviceSpan() = default;
  constexpr DeviceSpan(T* data, std::size_t size) : data_(data), size_(size) {}

  // A span of T is also a span of const T.
  template <typename U>
  requires(std::is_const_v<T>&& std::is_same_v<U, std::remove_const_t<T>>) constexpr DeviceSpan(
      const DeviceSpan<U>& other)
      : data_(other.data()), size_(other.size()) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }

  // The `count` elements from `offset` on. offset + count <= size().
  constexpr DeviceSpan subspan(std::size_t offset, std::size_t count) const {
    return DeviceSpan(data_ + offset, count);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// A test passes a host span; the harness copies it to the device and back.
template <typename T>
struct ParameterTraits<DeviceSpan<T>> : ParameterTraits<std::span<T>> {
  static constexpr Place kPlace = Place::kDevice;
};

// A test passes nothing for a stream: the harness makes one.
template <>
struct ParameterTraits<cudaStream_t> {
  using Host = void;
  using Element = void;
  static constexpr Argument::Kind kKind = Argument::Kind::kScalar;
  static constexpr Place kPlace = Place::kSupplied;
};

}  // namespace lab

using lab::DeviceSpan;
