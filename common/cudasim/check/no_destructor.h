#pragma once

namespace cudasim {

// Constructed at its first use, because a static initialiser may launch a kernel, and never
// destroyed, because a destructor may.
template <class T>
class NoDestructor {
 public:
  T& operator*() {
    if (value_ == nullptr) value_ = new T;
    return *value_;
  }
  T* operator->() { return &**this; }

 private:
  T* value_ = nullptr;
};

}  // namespace cudasim
