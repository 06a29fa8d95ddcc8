// cub::DeviceRadixSort of keys that are integers or floating-point numbers: stable, by the bits
// [begin_bit, end_bit) of the keys.
#pragma once

#include <bit>
#include <type_traits>

#include "../two_phase.h"

namespace cub {

namespace radix {

// Unsigned integers in the order of the keys.  -0.0 equals 0.0.
template <class Key>
CUDASIM_INLINE std::uint64_t BitsOf(Key key) {
  static_assert(std::is_arithmetic_v<Key> && sizeof(Key) <= 8,
                "cudasim: cub::DeviceRadixSort of such keys is not simulated: use integers, float "
                "or double");
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

template <bool kDescending>
struct Before {
  int begin_bit;
  int end_bit;

  template <class Key>
  CUDASIM_INLINE bool operator()(Key a, Key b) const {
    const int width = end_bit - begin_bit;
    const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const std::uint64_t left = BitsOf(a) >> begin_bit & mask;
    const std::uint64_t right = BitsOf(b) >> begin_bit & mask;
    return kDescending ? right < left : left < right;
  }
};

// SortKeys and SortKeysDescending.
template <cudasim::library::Name kName, bool kDescending>
struct KeySort {
  template <class Key>
  CUDASIM_INLINE cudaError_t operator()(void* storage, std::size_t& bytes, const Key* in, Key* out,
                                        std::int64_t count, int begin_bit = 0,
                                        int end_bit = 8 * sizeof(Key),
                                        cudaStream_t stream = nullptr) const {
    const Before<kDescending> before{begin_bit, end_bit};
    const auto body = [=](void* space) CUDASIM_INLINE_LAMBDA {
      cudasim::library::SortValues(in, count, out, static_cast<Key*>(space), before);
    };
    return two_phase::Run<kName>(storage, bytes, two_phase::BytesFor<Key>(2 * count), stream, body);
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
    using Item = cudasim::library::Pair<Key, Value>;
    const Before<kDescending> before{begin_bit, end_bit};
    const auto body = [=](void* space) CUDASIM_INLINE_LAMBDA {
      cudasim::library::SortPairs(in, values, count, out, values_out, static_cast<Item*>(space),
                                  before);
    };
    return two_phase::Run<kName>(storage, bytes, two_phase::BytesFor<Item>(2 * count), stream,
                                 body);
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
