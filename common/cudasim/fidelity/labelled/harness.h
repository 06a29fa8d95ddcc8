// Calls a kernel without a main(): makes arguments of its parameters' types and launches it.
//
// Every array has more elements than a kernel's threads index, as the suite's labels leave bounds
// aside, and no two arrays overlap. Contents and scalars come from a seed.
#pragma once

#include <cooperative_groups.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

namespace labelled {

using Random = std::mt19937_64;

constexpr size_t kElements = (1 << 20) + (1 << 16);
constexpr size_t kElementsOfInnerArrays = 1 << 17;

inline void Check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

// A device array of small random integers; of null pointers, if its elements are pointers.
template <class T>
T* NewArray(size_t elements, Random& random) {
  using Element = std::conditional_t<std::is_void_v<T>, char, std::remove_cv_t<T>>;
  std::vector<unsigned char> bytes(elements * sizeof(Element));
  if constexpr (std::is_arithmetic_v<Element>) {
    for (size_t i = 0; i < elements; i++) {
      const Element value = static_cast<Element>(random() % 100);
      std::memcpy(&bytes[i * sizeof(Element)], &value, sizeof(Element));
    }
  } else if constexpr (!std::is_pointer_v<Element>) {
    for (unsigned char& byte : bytes) {
      byte = static_cast<unsigned char>(random() % 100);
    }
  }
  void* array = nullptr;
  Check(cudaMalloc(&array, bytes.size()));
  Check(cudaMemcpy(array, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  return static_cast<T*>(array);
}

// An argument: a number from 1 to 99, or 0; an array, with numbers in either case. Pointers to
// functions are null. A class that is aligned like a pointer is taken for one of pointers only, any
// other for one of numbers: C++ cannot list its members.
template <class T>
T NewArgument(Random& random, bool zeros) {
  if constexpr (std::is_pointer_v<T>) {
    using Target = std::remove_pointer_t<T>;
    if constexpr (std::is_function_v<Target>) {
      return nullptr;
    } else {
      return NewArray<Target>(kElements, random);
    }
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(zeros ? 0 : 1 + random() % 99);
  } else {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    unsigned char bytes[sizeof(T)] = {};
    for (size_t i = 0; i + sizeof(void*) <= sizeof(T) && alignof(T) == sizeof(void*);
         i += sizeof(void*)) {
      void* array = NewArray<double>(kElementsOfInnerArrays, random);
      std::memcpy(&bytes[i], &array, sizeof(array));
    }
    std::memcpy(static_cast<void*>(&value), bytes, sizeof(T));
    return value;
  }
}

template <class... P>
std::tuple<std::remove_cv_t<P>...> NewArguments(void (*)(P...), Random& random, bool zeros) {
  return {NewArgument<std::remove_cv_t<P>>(random, zeros)...};  // braces: from left to right
}

// Launches the kernel and waits. A failure ends the program with code 1.
template <class... P, class... A>
void Launch(void (*kernel)(P...), dim3 grid, dim3 block, bool is_cooperative,
            std::tuple<A...>& arguments) {
  std::apply(
      [&](auto&... values) {
        void* list[] = {static_cast<void*>(&values)..., nullptr};
        const void* address = reinterpret_cast<const void*>(kernel);
        Check(is_cooperative ? cudaLaunchCooperativeKernel(address, grid, block, list, 0, nullptr)
                             : cudaLaunchKernel(address, grid, block, list, 0, nullptr));
      },
      arguments);
  Check(cudaDeviceSynchronize());
}

}  // namespace labelled
