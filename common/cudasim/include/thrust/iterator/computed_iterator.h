// Iterators that compute their values from their positions; part of the simulator.
#pragma once

#include "../device_ptr.h"

namespace thrust {

// Of a function that computes values, their type; one that returns references of its own names it.
template <class Function>
auto ComputedValue() {
  if constexpr (requires { typename Function::value_type; }) {
    return std::type_identity<typename Function::value_type>();
  } else {
    return std::type_identity<std::remove_cvref_t<decltype(std::declval<Function&>()(0))>>();
  }
}

// Where the elements are that one of these iterators reaches.
template <class... Iterators>
constexpr System CommonSystem() {
  System common = System::kNeither;
  ((common = kSystemOf<Iterators> == System::kNeither ? common : kSystemOf<Iterators>), ...);
  return common;
}

// function(i) at place i, a value or a reference.  kSystem: where the values that it reads are.
template <class Function, System kWhere>
class computed_iterator {
 public:
  using value_type = typename decltype(ComputedValue<Function>())::type;
  using difference_type = std::ptrdiff_t;
  using reference = decltype(std::declval<const Function&>()(0));
  using pointer = const value_type*;
  using iterator_category = std::random_access_iterator_tag;
  static constexpr System kSystem = kWhere;

  template <class... Parameters>
  CUDASIM_INLINE explicit computed_iterator(const Parameters&... parameters)
      : function_(parameters...) {}

  CUDASIM_INLINE reference operator*() const { return function_(place_); }
  CUDASIM_INLINE reference operator[](std::ptrdiff_t i) const { return function_(place_ + i); }
  CUDASIM_INLINE computed_iterator& operator+=(std::ptrdiff_t n) {
    place_ += n;
    return *this;
  }
  CUDASIM_INLINE computed_iterator& operator++() { return *this += 1; }
  CUDASIM_INLINE friend computed_iterator operator+(computed_iterator i, std::ptrdiff_t n) {
    return i += n;
  }
  CUDASIM_INLINE std::ptrdiff_t operator-(const computed_iterator& other) const {
    return function_ - other.function_ + (place_ - other.place_);
  }
  CUDASIM_INLINE bool operator==(const computed_iterator& other) const {
    return *this - other == 0;
  }

 private:
  Function function_;
  std::ptrdiff_t place_ = 0;
};

}  // namespace thrust
