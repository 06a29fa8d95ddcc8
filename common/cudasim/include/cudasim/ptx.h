// What the rewriter makes of inline PTX; see rewriter/ptx.cc.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cudasim/async_copies.h"
#include "cudasim/cluster.h"
#include "cudasim/words.h"

namespace cudasim::ptx {

// Operands are registers: bits of a size.  Reads or writes one as another type of the same size, or
// converts between integers.
template <class T, class Operand>
CUDASIM_INLINE T Get(const Operand& operand) {
  if constexpr (sizeof(T) == sizeof(Operand)) {
    return __builtin_bit_cast(T, operand);
  } else {
    return static_cast<T>(operand);
  }
}
template <class Operand, class T>
CUDASIM_INLINE void Set(Operand& operand, const T& value) {
  operand = Get<Operand>(value);
}

// Addresses of shared memory are offsets in the block's arena, and in those of the cluster's blocks
// by rank behind it; addresses of other spaces are generic.
CUDASIM_UNSEEN std::uint64_t ToShared(const void* pointer) {
  return static_cast<std::uint64_t>(static_cast<const char*>(pointer) - shared_arena);
}
CUDASIM_UNSEEN char* FromShared(std::uint64_t address) {
  if (address < kArenaBytes) return shared_arena + address;
  const std::uint64_t rank = address / kArenaBytes - 1;
  if (rank < BlocksOfCluster()) {
    return static_cast<char*>(cudasim_map_shared_rank(shared_arena, static_cast<unsigned>(rank),
                                                      __FILE__, __LINE__)) +
           address % kArenaBytes;
  }
  return reinterpret_cast<char*>(address);  // generic
}
template <bool kShared, class Operand>
CUDASIM_INLINE char* Address(const Operand& operand, long long offset) {
  if constexpr (kShared) {
    if constexpr (std::is_pointer_v<Operand>)
      return FromShared(Get<std::uint64_t>(operand)) + offset;
    return FromShared(
               static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Operand>>(operand))) +
           offset;
  } else {
    return reinterpret_cast<char*>(Get<std::uint64_t>(operand)) + offset;
  }
}

// The same address in the shared memory of the block with this rank, and the rank of an address.
CUDASIM_UNSEEN std::uint64_t MapToRank(const char* own, bool shared, unsigned rank,
                                       const char* file, int line) {
  const auto* const mapped =
      static_cast<const char*>(cudasim_map_shared_rank(own, rank, file, line));
  if (!shared) return reinterpret_cast<std::uint64_t>(mapped);
  const auto* const arena =
      static_cast<const char*>(cudasim_map_shared_rank(shared_arena, rank, file, line));
  return (rank + 1) * kArenaBytes + static_cast<std::uint64_t>(mapped - arena);
}
template <bool kShared, class Operand>
CUDASIM_INLINE std::uint64_t MapShared(const Operand& operand, unsigned rank, const char* file,
                                       int line) {
  return MapToRank(Address<kShared>(operand, 0), kShared, rank, file, line);
}
template <bool kShared, class Operand>
CUDASIM_INLINE unsigned RankOf(const Operand& operand, const char* file, int line) {
  return cudasim_query_shared_rank(Address<kShared>(operand, 0), file, line);
}

enum class Strength { kWeak, kVolatile, kRelaxed, kOrdered };

template <class T, int kCount, Strength kStrength, bool kBlock>
CUDASIM_INLINE Piece<T, kCount> Load(const char* address) {
  if constexpr (kStrength == Strength::kWeak) {
    return ReadPiece<T, kCount>(address);
  } else if constexpr (kStrength == Strength::kVolatile) {
    Piece<T, kCount> piece;
    for (int i = 0; i < kCount; ++i)
      piece.values[i] = reinterpret_cast<const volatile T*>(address)[i];
    return piece;
  } else {
    static_assert(kCount == 1, "vectors have no order");
    constexpr unsigned kOrder =
        (kBlock ? kBlockScope : 0) | (kStrength == Strength::kOrdered ? kAcquires : 0);
    return {AtomicLoad(reinterpret_cast<const T*>(address), kOrder)};
  }
}

template <class T, int kCount, Strength kStrength, bool kBlock>
CUDASIM_INLINE void Store(char* address, const Piece<T, kCount>& piece) {
  if constexpr (kStrength == Strength::kWeak) {
    WritePiece(address, piece);
  } else if constexpr (kStrength == Strength::kVolatile) {
    for (int i = 0; i < kCount; ++i) reinterpret_cast<volatile T*>(address)[i] = piece.values[i];
  } else {
    static_assert(kCount == 1, "vectors have no order");
    constexpr unsigned kOrder =
        (kBlock ? kBlockScope : 0) | (kStrength == Strength::kOrdered ? kReleases : 0);
    AtomicStore(reinterpret_cast<T*>(address), piece.values[0], kOrder);
  }
}

CUDASIM_INLINE unsigned ThreadInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
CUDASIM_INLINE unsigned LaneId() { return ThreadInBlock() % 32; }
CUDASIM_INLINE unsigned LanesBelow() { return (1u << LaneId()) - 1; }

}  // namespace cudasim::ptx

// Addresses of shared memory, as PTX has them.
CUDASIM_INLINE std::size_t __cvta_generic_to_shared(const void* pointer) {
  return ::cudasim::ptx::ToShared(pointer);
}
CUDASIM_INLINE void* __cvta_shared_to_generic(std::size_t address) {
  return ::cudasim::ptx::FromShared(address);
}
CUDASIM_INLINE std::size_t __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<std::size_t>(pointer);
}
CUDASIM_INLINE void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
