// Which arguments of an algorithm are iterators of the host and which of the device.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace thrust {

enum class System { kHost, kDevice, kNeither };

// Iterators of Thrust name theirs; pointers and all other iterators are of the host.
template <class T>
constexpr System FindSystem() {
  if constexpr (requires { T::kSystem; }) return T::kSystem;
  if constexpr (std::is_pointer_v<T>) {
    return std::is_function_v<std::remove_pointer_t<T>> ? System::kNeither : System::kHost;
  }
  return requires { typename T::iterator_category; }
  ? System::kHost : System::kNeither;
}

template <class T>
inline constexpr System kSystemOf = FindSystem<T>();

// What kernels use in place of an iterator: a plain pointer where it holds one.
template <class Iterator>
CUDASIM_INLINE auto Raw(Iterator iterator) {
  if constexpr (requires { iterator.raw(); }) {
    return iterator.raw();
  } else {
    return iterator;
  }
}

}  // namespace thrust
