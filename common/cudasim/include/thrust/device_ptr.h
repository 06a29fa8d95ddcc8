// Pointers to device memory, which are the iterators of thrust::device_vector, too.
#pragma once

#include <compare>
#include <memory>

#include "device_reference.h"

namespace thrust {

template <class T>
class device_ptr {
 public:
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = device_reference<T>;
  using pointer = device_ptr;
  using iterator_category = std::random_access_iterator_tag;
  static constexpr System kSystem = System::kDevice;

  CUDASIM_INLINE device_ptr() = default;
  CUDASIM_INLINE device_ptr(std::nullptr_t) {}
  CUDASIM_INLINE explicit device_ptr(T* raw) : raw_(raw) {}
  template <class Other>
  requires std::convertible_to<Other*, T*> CUDASIM_INLINE device_ptr(const device_ptr<Other>& other)
      : raw_(other.get()) {}

  CUDASIM_INLINE T* get() const { return raw_; }
  CUDASIM_INLINE T* raw() const { return raw_; }
  CUDASIM_INLINE reference operator*() const { return reference(raw_); }
  CUDASIM_INLINE reference operator[](std::ptrdiff_t i) const { return reference(raw_ + i); }
  CUDASIM_INLINE explicit operator bool() const { return raw_ != nullptr; }

  CUDASIM_INLINE device_ptr& operator+=(std::ptrdiff_t n) {
    raw_ += n;
    return *this;
  }
  CUDASIM_INLINE device_ptr& operator-=(std::ptrdiff_t n) { return *this += -n; }
  CUDASIM_INLINE device_ptr& operator++() { return *this += 1; }
  CUDASIM_INLINE device_ptr& operator--() { return *this -= 1; }
  CUDASIM_INLINE device_ptr operator++(int) { return device_ptr(raw_++); }
  CUDASIM_INLINE device_ptr operator--(int) { return device_ptr(raw_--); }
  CUDASIM_INLINE friend device_ptr operator+(device_ptr p, std::ptrdiff_t n) { return p += n; }
  CUDASIM_INLINE friend device_ptr operator+(std::ptrdiff_t n, device_ptr p) { return p += n; }
  CUDASIM_INLINE friend device_ptr operator-(device_ptr p, std::ptrdiff_t n) { return p -= n; }

  template <class Other>
  CUDASIM_INLINE std::ptrdiff_t operator-(const device_ptr<Other>& other) const {
    return raw_ - other.get();
  }
  template <class Other>
  CUDASIM_INLINE bool operator==(const device_ptr<Other>& other) const {
    return raw_ == other.get();
  }
  template <class Other>
  CUDASIM_INLINE std::strong_ordering operator<=>(const device_ptr<Other>& other) const {
    return raw_ <=> other.get();
  }

 private:
  T* raw_ = nullptr;
};

template <class T>
CUDASIM_INLINE device_ptr<T> device_pointer_cast(T* raw) {
  return device_ptr<T>(raw);
}
template <class T>
CUDASIM_INLINE device_ptr<T> device_pointer_cast(const device_ptr<T>& pointer) {
  return pointer;
}
template <class T>
CUDASIM_INLINE T* raw_pointer_cast(const device_ptr<T>& pointer) {
  return pointer.get();
}
template <class T>
CUDASIM_INLINE T* raw_pointer_cast(T* raw) {
  return raw;
}

}  // namespace thrust
