// The radix sort behind Thrust and CUB, sequential like library_algorithms.h.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cudasim/library_algorithms.h"

namespace cudasim::library {

// Unsigned integers in the order of the keys.  -0.0 equals 0.0.
template <class Key>
CUDASIM_INLINE std::uint64_t BitsOf(Key key) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << (8 * sizeof(Key) - 1);
  constexpr std::uint64_t kAll = kSign | (kSign - 1);
  if constexpr (std::is_floating_point_v<Key>) {
    using Bits = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
    const std::uint64_t bits = std::bit_cast<Bits>(key == 0 ? Key(0) : key);
    return (bits & kSign) != 0 ? ~bits & kAll : bits | kSign;
  } else {
    const std::uint64_t bits = static_cast<std::uint64_t>(key) & kAll;
    return std::is_signed_v<Key> ? bits ^ kSign : bits;
  }
}

// The bits [begin, end) of keys, in digits of 8 bits, of which number 0 is the lowest.
struct Digits {
  static constexpr int kWidth = 8;
  static constexpr int kMost = 8;  // of a key
  static constexpr std::size_t kValues = std::size_t{1} << kWidth;

  int begin;
  int end;
  bool descending;

  CUDASIM_INLINE int count() const { return (end - begin + kWidth - 1) / kWidth; }
  template <class Key>
  CUDASIM_INLINE std::size_t Of(Key key, int digit) const {
    const int shift = begin + digit * kWidth;
    const int width = end - shift < kWidth ? end - shift : kWidth;
    const std::uint64_t all = (std::uint64_t{1} << width) - 1;
    const std::uint64_t value = BitsOf(key) >> shift & all;
    return descending ? all - value : value;
  }
};

// In place of values where only keys are sorted.
struct NoValues {
  struct Value {};
  CUDASIM_INLINE Value operator[](std::size_t) const { return {}; }
};

template <class Keys, class Values>
struct Items {
  Keys keys;
  Values values;
};
template <class Keys, class Values>
Items(Keys, Values) -> Items<Keys, Values>;

// Moves each item to the place of its digit, of which `next` has the first for each value.
template <class From, class To>
CUDASIM_INLINE void Scatter(From from, std::size_t count, To to, Digits digits, int digit,
                            std::uint32_t* next) {
  const Sweep sweep;
  for (std::size_t i = 0; i < count; ++i) {
    sweep.Step();
    const ValueAt<decltype(from.keys)> key = from.keys[i];
    const std::size_t place = next[digits.Of(key, digit)]++;
    to.keys[place] = key;
    to.values[place] = from.values[i];
  }
}

template <class From, class To>
CUDASIM_INLINE void Move(From from, std::size_t count, To to) {
  const Sweep sweep;
  for (std::size_t i = 0; i < count; ++i) {
    sweep.Step();
    to.keys[i] = from.keys[i];
    to.values[i] = from.values[i];
  }
}

// A stable radix sort with the accesses of a GPU's (Adinets and Merrill, "Onesweep", 2022): the
// keys are read to count all their digits, then each digit reads and writes all items once.  `in`
// may be `out`; `spare` holds as many items.
template <class In, class Out, class Spare>
CUDASIM_INLINE void RadixSort(In in, std::size_t count, Out out, Spare spare, Digits digits,
                              bool in_place) {
  std::uint32_t next[Digits::kMost][Digits::kValues] = {};
  const int last = digits.count();
  {
    const Sweep sweep;
    for (std::size_t i = 0; i < count; ++i) {
      sweep.Step();
      const ValueAt<decltype(in.keys)> key = in.keys[i];
      for (int digit = 0; digit < last; ++digit) ++next[digit][digits.Of(key, digit)];
    }
  }
  for (int digit = 0; digit < last; ++digit) {
    std::uint32_t sum = 0;
    for (std::uint32_t& place : next[digit]) {
      const std::uint32_t items = place;
      place = sum;
      sum += items;
    }
  }
  // The last digit writes to `out`, unless the first one would then overwrite what it reads.
  bool to_spare = last % 2 == 0 || in_place;
  if (last == 0 && !in_place) return Move(in, count, out);
  for (int digit = 0; digit < last; ++digit, to_spare = !to_spare) {
    if (digit == 0 && to_spare) Scatter(in, count, spare, digits, digit, next[digit]);
    if (digit == 0 && !to_spare) Scatter(in, count, out, digits, digit, next[digit]);
    if (digit > 0 && to_spare) Scatter(out, count, spare, digits, digit, next[digit]);
    if (digit > 0 && !to_spare) Scatter(spare, count, out, digits, digit, next[digit]);
  }
  if (in_place && last % 2 != 0) Move(spare, count, out);
}

}  // namespace cudasim::library
