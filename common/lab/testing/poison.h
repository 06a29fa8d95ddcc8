#pragma once

// Outputs start as poison, so that an element which was never written is not right by accident.

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace lab {

// What Poison writes: a quiet NaN with a payload of its own for float and double, else 0xA5 in
// every byte.
template <typename T>
T PoisonValue() {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  if constexpr (std::is_same_v<T, float>) {
    const std::uint32_t bits = 0x7fe5a5a5;
    std::memcpy(&value, &bits, sizeof(value));
  } else if constexpr (std::is_same_v<T, double>) {
    const std::uint64_t bits = 0x7ffca5a5a5a5a5a5;
    std::memcpy(&value, &bits, sizeof(value));
  } else {
    std::memset(static_cast<void*>(&value), 0xA5, sizeof(value));
  }
  return value;
}

// Overwrites every element of `values` with PoisonValue<T>().
template <typename T>
void Poison(std::span<T> values) {
  const T poison = PoisonValue<T>();
  for (T& value : values) std::memcpy(static_cast<void*>(&value), &poison, sizeof(T));
}

template <typename T>
void Poison(std::vector<T>& values) {
  Poison(std::span<T>(values));
}

// `n` poisoned elements: what to hand to a function as output.
template <typename T>
std::vector<T> Poisoned(std::size_t n) {
  std::vector<T> values(n);
  Poison(values);
  return values;
}

// Whether `value` is poison, bit by bit. Small integers can be it by chance.
template <typename T>
bool IsPoison(const T& value) {
  const T poison = PoisonValue<T>();
  return std::memcmp(&value, &poison, sizeof(T)) == 0;
}

}  // namespace lab
