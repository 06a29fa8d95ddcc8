// Warp collectives.  Masks name lanes of the calling thread's warp; all lanes named that have not
// returned must make the same call.
#pragma once

#include <type_traits>

#include "cudasim/vector_types.h"

namespace cudasim {

enum class WarpOperation : int {
  kSync,
  kGroupSync,
  kShuffle,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kAny,
  kAll,
  kMatchAny,
  kMatchAll,
  kReduceAdd,
  kReduceMinSigned,
  kReduceMinUnsigned,
  kReduceMaxSigned,
  kReduceMaxUnsigned,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
  kCombine,  // cg::reduce and the scans
  kMatrix,   // of nvcuda::wmma, and mma instructions
  kActiveMask,
};

// Called once for a collective: `values[lane]` is what that lane passed, for each lane in `lanes`.
using WarpCombine = void (*)(void* const* values, unsigned lanes);

// The lane, delta or mask of a shuffle, of which CUDA takes five bits, and its width.
constexpr unsigned LaneArgument(int lane, int width) {
  return (static_cast<unsigned>(lane) & 31u) | static_cast<unsigned>(width) << 8;
}

}  // namespace cudasim

extern "C" {
// Waits for the lanes in `mask`; the result depends on the operation.
unsigned long long cudasim_warp(const char* file, int line, cudasim::WarpOperation operation,
                                unsigned mask, unsigned long long value, unsigned argument);
// A shuffle of values of any size; `in` and `out` must not overlap.
void cudasim_warp_shuffle(const char* file, int line, cudasim::WarpOperation operation,
                          unsigned mask, unsigned argument, const void* in, void* out,
                          unsigned bytes);
void cudasim_warp_combine(const char* file, int line, unsigned mask, cudasim::WarpCombine combine,
                          void* value);
// As cudasim_warp_combine(), for all lanes of the warp.
void cudasim_warp_matrix(const char* file, int line, cudasim::WarpCombine combine, void* value);
unsigned cudasim_activemask(const char* file, int line);
// Waits for the lanes of the warp that get to this step of the line, from 1, as they do for
// __activemask().
void cudasim_lockstep(const char* file, int line, unsigned step);
}

#ifdef __CUDACC__

// The place of the call, for reports.
#define CUDASIM_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cudasim {

// What the CUDA functions take: integers of at least 32 bits, float and double; smaller integers
// are promoted.  Other types of at most 8 bytes may be added by specialising IsLaneValue.
template <class T>
struct IsLaneValue : std::bool_constant<std::is_arithmetic_v<T>> {};

template <class T, bool = std::is_arithmetic_v<T>>
struct LaneValueOf {
  using Type = decltype(+T());
};
template <class T>
struct LaneValueOf<T, false> {
  using Type = T;
};
template <class T>
using LaneValue = typename LaneValueOf<T>::Type;

// An integer of the value's size.
template <class T>
struct LaneBits {
  using Type = std::conditional_t<
      sizeof(T) == 1, unsigned char,
      std::conditional_t<sizeof(T) == 2, unsigned short,
                         std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>>>;
};

template <class T>
CUDASIM_INLINE unsigned long long ToLaneBits(T value) {
  return __builtin_bit_cast(typename LaneBits<T>::Type, value);
}

template <class T>
CUDASIM_INLINE T FromLaneBits(unsigned long long bits) {
  return __builtin_bit_cast(T, static_cast<typename LaneBits<T>::Type>(bits));
}

template <class T>
CUDASIM_INLINE LaneValue<T> Shuffle(WarpOperation operation, unsigned mask, T value, int lane,
                                    int width, const char* file, int line) {
  static_assert(IsLaneValue<T>::value, "shuffles take integers, float, double and 16-bit floats");
  return FromLaneBits<LaneValue<T>>(cudasim_warp(
      file, line, operation, mask, ToLaneBits<LaneValue<T>>(value), LaneArgument(lane, width)));
}

}  // namespace cudasim

CUDASIM_INLINE void __syncwarp(unsigned mask = 0xffffffffu, CUDASIM_HERE) {
  cudasim_warp(file, line, cudasim::WarpOperation::kSync, mask, 0, 0);
}

CUDASIM_INLINE unsigned __activemask(CUDASIM_HERE) { return cudasim_activemask(file, line); }

#define CUDASIM_SHUFFLE(name, operation)                                                       \
  template <class T>                                                                           \
  CUDASIM_INLINE cudasim::LaneValue<T> name(unsigned mask, T value, int lane, int width = 32,  \
                                            CUDASIM_HERE) {                                    \
    return cudasim::Shuffle(cudasim::WarpOperation::operation, mask, value, lane, width, file, \
                            line);                                                             \
  }
CUDASIM_SHUFFLE(__shfl_sync, kShuffle)
CUDASIM_SHUFFLE(__shfl_up_sync, kShuffleUp)
CUDASIM_SHUFFLE(__shfl_down_sync, kShuffleDown)
CUDASIM_SHUFFLE(__shfl_xor_sync, kShuffleXor)
#undef CUDASIM_SHUFFLE

CUDASIM_INLINE unsigned __ballot_sync(unsigned mask, int predicate, CUDASIM_HERE) {
  return static_cast<unsigned>(
      cudasim_warp(file, line, cudasim::WarpOperation::kBallot, mask, predicate != 0, 0));
}
CUDASIM_INLINE int __any_sync(unsigned mask, int predicate, CUDASIM_HERE) {
  return static_cast<int>(
      cudasim_warp(file, line, cudasim::WarpOperation::kAny, mask, predicate != 0, 0));
}
CUDASIM_INLINE int __all_sync(unsigned mask, int predicate, CUDASIM_HERE) {
  return static_cast<int>(
      cudasim_warp(file, line, cudasim::WarpOperation::kAll, mask, predicate != 0, 0));
}

// Values are equal if their bits are.
template <class T>
CUDASIM_INLINE unsigned __match_any_sync(unsigned mask, T value, CUDASIM_HERE) {
  static_assert(std::is_arithmetic_v<T>, "matches take integers, float and double");
  return static_cast<unsigned>(cudasim_warp(file, line, cudasim::WarpOperation::kMatchAny, mask,
                                            cudasim::ToLaneBits(+value), 0));
}
template <class T>
CUDASIM_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all_equal, CUDASIM_HERE) {
  static_assert(std::is_arithmetic_v<T>, "matches take integers, float and double");
  const auto lanes = static_cast<unsigned>(cudasim_warp(
      file, line, cudasim::WarpOperation::kMatchAll, mask, cudasim::ToLaneBits(+value), 0));
  *all_equal = lanes != 0;
  return lanes;
}

#define CUDASIM_REDUCE(name, T, operation)                                                  \
  CUDASIM_INLINE T name(unsigned mask, T value, CUDASIM_HERE) {                             \
    return static_cast<T>(cudasim_warp(file, line, cudasim::WarpOperation::operation, mask, \
                                       static_cast<unsigned>(value), 0));                   \
  }
CUDASIM_REDUCE(__reduce_add_sync, unsigned, kReduceAdd)
CUDASIM_REDUCE(__reduce_add_sync, int, kReduceAdd)
CUDASIM_REDUCE(__reduce_min_sync, unsigned, kReduceMinUnsigned)
CUDASIM_REDUCE(__reduce_min_sync, int, kReduceMinSigned)
CUDASIM_REDUCE(__reduce_max_sync, unsigned, kReduceMaxUnsigned)
CUDASIM_REDUCE(__reduce_max_sync, int, kReduceMaxSigned)
CUDASIM_REDUCE(__reduce_and_sync, unsigned, kReduceAnd)
CUDASIM_REDUCE(__reduce_or_sync, unsigned, kReduceOr)
CUDASIM_REDUCE(__reduce_xor_sync, unsigned, kReduceXor)
#undef CUDASIM_REDUCE

#endif  // __CUDACC__
