// thrust::device_vector.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "copy.h"
#include "device_malloc.h"
#include "fill.h"
#include "host_vector.h"

namespace thrust {

template <class T>
class device_vector {
  static_assert(std::is_trivially_destructible_v<T>,
                "cudasim: thrust::device_vector of values with a destructor is not simulated");

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;

  CUDASIM_INLINE device_vector() = default;
  // Those that delegate release their memory when they throw.
  CUDASIM_INLINE explicit device_vector(std::size_t count, const T& value = T()) : device_vector() {
    resize(count, value);
  }
  CUDASIM_INLINE device_vector(std::initializer_list<T> values) : device_vector() {
    assign(values.begin(), values.end());
  }
  template <class In>
  requires requires(In in) { *in; }
  CUDASIM_INLINE device_vector(In first, In last) : device_vector() { assign(first, last); }
  CUDASIM_INLINE device_vector(const device_vector& other) : device_vector() { *this = other; }
  CUDASIM_INLINE device_vector(device_vector&& other) noexcept { swap(other); }
  template <class Range>
  requires requires(const Range& range) { range.begin() + range.size(); }
  CUDASIM_INLINE device_vector(const Range& other) : device_vector() {
    assign(other.begin(), other.end());
  }
  CUDASIM_INLINE ~device_vector() { cudaFree(data_.get()); }

  CUDASIM_INLINE device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  CUDASIM_INLINE device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class Range>
  requires requires(const Range& range) { range.begin() + range.size(); }
  CUDASIM_INLINE device_vector& operator=(const Range& other) {
    assign(other.begin(), other.end());
    return *this;
  }

  template <class In>
  requires requires(In in) { *in; }
  CUDASIM_INLINE void assign(In first, In last) {
    size_ = 0;
    reserve(std::distance(first, last));
    size_ = thrust::copy(first, last, begin()) - begin();
  }
  CUDASIM_INLINE void assign(std::size_t count, const T& value) {
    size_ = 0;
    resize(count, value);
  }

  CUDASIM_INLINE iterator begin() { return data_; }
  CUDASIM_INLINE iterator end() { return data_ + size_; }
  CUDASIM_INLINE const_iterator begin() const { return data_; }
  CUDASIM_INLINE const_iterator end() const { return data_ + size_; }
  CUDASIM_INLINE const_iterator cbegin() const { return data_; }
  CUDASIM_INLINE const_iterator cend() const { return data_ + size_; }
  CUDASIM_INLINE pointer data() { return data_; }
  CUDASIM_INLINE const_pointer data() const { return data_; }
  CUDASIM_INLINE std::size_t size() const { return size_; }
  CUDASIM_INLINE std::size_t capacity() const { return capacity_; }
  CUDASIM_INLINE bool empty() const { return size_ == 0; }

  CUDASIM_INLINE reference operator[](std::size_t i) CUDASIM_INLINE_LAMBDA { return data_[i]; }
  CUDASIM_INLINE const_reference operator[](std::size_t i) const { return begin()[i]; }
  CUDASIM_INLINE reference front() { return data_[0]; }
  CUDASIM_INLINE const_reference front() const { return begin()[0]; }
  CUDASIM_INLINE reference back() { return data_[size_ - 1]; }
  CUDASIM_INLINE const_reference back() const { return begin()[size_ - 1]; }

  CUDASIM_INLINE void reserve(std::size_t count) {
    if (count <= capacity_) return;
    device_vector larger;
    larger.data_ = device_malloc<T>(count);
    larger.capacity_ = count;
    thrust::copy(begin(), end(), larger.data_);
    larger.size_ = size_;
    swap(larger);
  }
  CUDASIM_INLINE void resize(std::size_t count, const T& value = T()) {
    if (count > size_) {
      reserve(count);
      thrust::fill(end(), begin() + count, value);
    }
    size_ = count;
  }
  CUDASIM_INLINE void push_back(const T& value) {
    if (size_ == capacity_) reserve(2 * size_ + 1);
    data_[size_++] = value;
  }
  CUDASIM_INLINE void pop_back() { --size_; }
  CUDASIM_INLINE iterator erase(iterator first, iterator last) {
    const std::size_t count = end() - last;
    const auto body = [to = first.get(), from = last.get(), count]() CUDASIM_INLINE_LAMBDA {
      for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
    };
    if (count > 0) policies::RunOnce<"thrust::device_vector::erase">(device, body);
    size_ -= last - first;
    return first;
  }
  CUDASIM_INLINE void clear() { size_ = 0; }
  CUDASIM_INLINE void shrink_to_fit() {}
  CUDASIM_INLINE void swap(device_vector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  device_ptr<T> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

template <class T, class Range>
requires requires(const Range& range) { range.begin() + range.size(); }
CUDASIM_INLINE bool operator==(const device_vector<T>& a, const Range& b) {
  const host_vector<T> left(a.begin(), a.end());
  const host_vector<T> right(b.begin(), b.end());
  return left == right;
}

}  // namespace thrust
