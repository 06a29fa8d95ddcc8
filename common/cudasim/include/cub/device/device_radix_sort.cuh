// cub::DeviceRadixSort of keys that are integers or floating-point numbers: stable, by the bits
// [begin_bit, end_bit) of the keys.  Not in place, which CUB forbids and does not detect.
#pragma once

#include <type_traits>

#include "../two_phase.h"

namespace cub {

namespace radix {

template <class Key>
CUDASIM_INLINE cudasim::library::Digits DigitsOf(int begin_bit, int end_bit, bool descending) {
  static_assert(std::is_arithmetic_v<Key> && sizeof(Key) <= 8,
                "cudasim: cub::DeviceRadixSort of such keys is not simulated: use integers, float "
                "or double");
  return {begin_bit, end_bit, descending};
}

// SortKeys and SortKeysDescending.
template <cudasim::library::Name kName, bool kDescending>
struct KeySort {
  template <class Key>
  CUDASIM_INLINE cudaError_t operator()(void* storage, std::size_t& bytes, const Key* in, Key* out,
                                        std::int64_t count, int begin_bit = 0,
                                        int end_bit = 8 * sizeof(Key),
                                        cudaStream_t stream = nullptr) const {
    using cudasim::library::Items;
    using cudasim::library::NoValues;
    if (storage != nullptr && count > 0 && in == out) return cudaErrorInvalidValue;
    const auto digits = DigitsOf<Key>(begin_bit, end_bit, kDescending);
    const auto body = [=](void* space) CUDASIM_INLINE_LAMBDA {
      const Items spare{static_cast<Key*>(space), NoValues()};
      cudasim::library::RadixSort(Items{in, NoValues()}, count, Items{out, NoValues()}, spare,
                                  digits, false);
    };
    return two_phase::Run<kName>(storage, bytes, two_phase::BytesFor<Key>(count), stream, body);
  }
};

// SortPairs and SortPairsDescending.
template <cudasim::library::Name kName, bool kDescending>
struct PairSort {
  template <class Key, class Value>
  CUDASIM_INLINE cudaError_t operator()(void* storage, std::size_t& bytes, const Key* in, Key* out,
                                        const Value* values, Value* values_out, std::int64_t count,
                                        int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                        cudaStream_t stream = nullptr) const {
    using cudasim::library::Items;
    const bool in_place = in == out || values == values_out;
    if (storage != nullptr && count > 0 && in_place) return cudaErrorInvalidValue;
    const auto digits = DigitsOf<Key>(begin_bit, end_bit, kDescending);
    // Keys and values each begin at a multiple of kAlignment.
    const std::size_t bytes_of_keys = two_phase::Aligned(count * sizeof(Key));
    const auto body = [=](void* space) CUDASIM_INLINE_LAMBDA {
      auto* const begin = static_cast<char*>(space);
      const Items spare{reinterpret_cast<Key*>(begin),
                        reinterpret_cast<Value*>(begin + bytes_of_keys)};
      cudasim::library::RadixSort(Items{in, values}, count, Items{out, values_out}, spare, digits,
                                  false);
    };
    const std::size_t needed = bytes_of_keys + two_phase::BytesFor<Value>(count);
    return two_phase::Run<kName>(storage, bytes, needed, stream, body);
  }
};

}  // namespace radix

struct DeviceRadixSort {
  static constexpr radix::KeySort<"cub::DeviceRadixSort::SortKeys", false> SortKeys{};
  static constexpr radix::KeySort<"cub::DeviceRadixSort::SortKeysDescending", true>
      SortKeysDescending{};
  static constexpr radix::PairSort<"cub::DeviceRadixSort::SortPairs", false> SortPairs{};
  static constexpr radix::PairSort<"cub::DeviceRadixSort::SortPairsDescending", true>
      SortPairsDescending{};
};

}  // namespace cub
