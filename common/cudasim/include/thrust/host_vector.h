// thrust::host_vector: a std::vector that copies from and to a device_vector.
#pragma once

#include <vector>

#include "copy.h"

namespace thrust {

template <class T>
class device_vector;

template <class T>
class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  CUDASIM_INLINE host_vector() = default;
  CUDASIM_INLINE host_vector(const std::vector<T>& other) : std::vector<T>(other) {}
  template <class Other>
  CUDASIM_INLINE host_vector(device_ptr<Other> first, device_ptr<Other> last)
      : std::vector<T>(last - first) {
    thrust::copy(first, last, this->begin());
  }
  template <class Other>
  CUDASIM_INLINE host_vector(const device_vector<Other>& other)
      : host_vector(other.begin(), other.end()) {}
  template <class Other>
  CUDASIM_INLINE host_vector& operator=(const device_vector<Other>& other) {
    this->resize(other.size());
    thrust::copy(other.begin(), other.end(), this->begin());
    return *this;
  }
};

}  // namespace thrust
