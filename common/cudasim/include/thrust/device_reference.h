// A value in device memory: the host reads and assigns it by copies, kernels do so directly.
#pragma once

#include "execution_policy.h"

namespace thrust {

template <class T>
class device_ptr;

template <class T>
class device_reference {
 public:
  using value_type = std::remove_const_t<T>;

  CUDASIM_INLINE explicit device_reference(T* at) : at_(at) {}
  CUDASIM_INLINE device_reference(const device_reference& other) : at_(other.at_) {}

  CUDASIM_INLINE operator value_type() const {
    if (policies::InKernel()) return *at_;
    alignas(T) char value[sizeof(T)];
    Copy(value, at_, cudaMemcpyDeviceToHost);
    return value_type(*reinterpret_cast<value_type*>(value));
  }
  CUDASIM_INLINE const device_reference& operator=(const value_type& value) const {
    if (policies::InKernel()) {
      *at_ = value;
    } else {
      Copy(at_, &value, cudaMemcpyHostToDevice);
    }
    return *this;
  }
  CUDASIM_INLINE const device_reference& operator=(const device_reference& other) const {
    return *this = static_cast<value_type>(other);
  }
  CUDASIM_INLINE device_reference& operator=(const device_reference& other) {
    *this = static_cast<value_type>(other);
    return *this;
  }
  CUDASIM_INLINE const device_reference& operator+=(const value_type& value) const {
    return *this = static_cast<value_type>(*this) + value;
  }
  CUDASIM_INLINE const device_reference& operator-=(const value_type& value) const {
    return *this = static_cast<value_type>(*this) - value;
  }
  CUDASIM_INLINE const device_reference& operator*=(const value_type& value) const {
    return *this = static_cast<value_type>(*this) * value;
  }
  CUDASIM_INLINE const device_reference& operator++() const { return *this += value_type(1); }
  CUDASIM_INLINE const device_reference& operator--() const { return *this -= value_type(1); }

  CUDASIM_INLINE device_ptr<T> operator&() const { return device_ptr<T>(at_); }

 private:
  CUDASIM_INLINE static void Copy(void* to, const void* from, cudaMemcpyKind kind) {
    cuda_errors::Check(cudaMemcpy(to, from, sizeof(T), kind), "thrust::device_reference");
  }

  T* at_;
};

}  // namespace thrust
