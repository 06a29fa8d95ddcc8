// Integers through which several elements are read or written at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudasim {

template <std::size_t kBytes>
struct WordOf;
template <>
struct WordOf<1> {
  using Type __attribute__((may_alias)) = std::uint8_t;
};
template <>
struct WordOf<2> {
  using Type __attribute__((may_alias)) = std::uint16_t;
};
template <>
struct WordOf<4> {
  using Type __attribute__((may_alias)) = std::uint32_t;
};
template <>
struct WordOf<8> {
  using Type __attribute__((may_alias)) = std::uint64_t;
};
template <>
struct WordOf<16> {
  using Type __attribute__((may_alias)) = unsigned __int128;
};

// Adjacent elements.
template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Piece {
  T values[kCount];
};

template <class T, int kCount>
CUDASIM_INLINE Piece<T, kCount> ReadPiece(const void* from) {
  using Word = typename WordOf<sizeof(T) * kCount>::Type;
  const Word word = *static_cast<const Word*>(from);
  return __builtin_bit_cast(Piece<T, kCount>, word);
}

template <class T, int kCount>
CUDASIM_INLINE void WritePiece(void* to, const Piece<T, kCount>& piece) {
  using Word = typename WordOf<sizeof(T) * kCount>::Type;
  *static_cast<Word*>(to) = __builtin_bit_cast(Word, piece);
}

}  // namespace cudasim
