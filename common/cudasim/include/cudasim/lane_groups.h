// Cooperative groups inside a warp: tiles and coalesced threads, and what their threads exchange.
#pragma once

#include <type_traits>
#include <utility>

#include "cudasim/groups.h"

namespace cooperative_groups {
namespace details {

// The lane of the thread with this rank among the lanes of `mask`, which must have more than
// `rank`.
CUDASIM_BRANCHLESS unsigned LaneOfRank(unsigned mask, unsigned rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return static_cast<unsigned>(__builtin_ctz(mask));
}

// The ranks of `lanes` among the lanes of `mask`, as bits.
CUDASIM_BRANCHLESS unsigned ToRanks(unsigned lanes, unsigned mask) {
  unsigned ranks = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank) {
    ranks |= (lanes >> __builtin_ctz(mask) & 1u) << rank;
  }
  return ranks;
}

// Values of any size that can be copied bytewise.
template <class T>
CUDASIM_INLINE T ShuffleFrom(unsigned mask, T value, unsigned lane, const char* file, int line) {
  constexpr auto kShuffle = cudasim::WarpOperation::kShuffle;
  const unsigned argument = cudasim::LaneArgument(static_cast<int>(lane), 32);
  if constexpr (std::is_arithmetic_v<T>) {
    return cudasim::FromLaneBits<T>(
        cudasim_warp(file, line, kShuffle, mask, cudasim::ToLaneBits(value), argument));
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "shuffles copy values byte by byte");
    T result = value;
    cudasim_warp_shuffle(file, line, kShuffle, mask, argument, &value, &result, sizeof(T));
    return result;
  }
}

}  // namespace details

// Some lanes of the caller's warp, with ranks in ascending order of lanes.
class lane_group : public thread_group {
 public:
  CUDASIM_INLINE unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  CUDASIM_INLINE unsigned num_threads() const { return size(); }
  CUDASIM_INLINE unsigned thread_rank() const {
    return static_cast<unsigned>(__builtin_popcount(mask_ & details::LanesBelow(details::Lane())));
  }

  // The value of the thread with rank `source` modulo the group's size.
  template <class T>
  CUDASIM_INLINE T shfl(T value, int source, CUDASIM_HERE) const {
    return From(value, static_cast<unsigned>(source) % size(), file, line);
  }
  // Threads without a partner keep their own value.  Factors of 0 or 1, because a GPU does not
  // branch here.
  template <class T>
  CUDASIM_INLINE T shfl_up(T value, unsigned delta, CUDASIM_HERE) const {
    const unsigned rank = thread_rank();
    return From(value, rank - delta * (rank >= delta), file, line);
  }
  template <class T>
  CUDASIM_INLINE T shfl_down(T value, unsigned delta, CUDASIM_HERE) const {
    const unsigned rank = thread_rank();
    return From(value, rank + delta * (delta < size() - rank), file, line);
  }

  CUDASIM_INLINE unsigned ballot(int predicate, CUDASIM_HERE) const {
    return details::ToRanks(__ballot_sync(mask_, predicate, file, line), mask_);
  }
  CUDASIM_INLINE int any(int predicate, CUDASIM_HERE) const {
    return __any_sync(mask_, predicate, file, line);
  }
  CUDASIM_INLINE int all(int predicate, CUDASIM_HERE) const {
    return __all_sync(mask_, predicate, file, line);
  }
  template <class T>
  CUDASIM_INLINE unsigned match_any(T value, CUDASIM_HERE) const {
    return details::ToRanks(__match_any_sync(mask_, value, file, line), mask_);
  }
  template <class T>
  CUDASIM_INLINE unsigned match_all(T value, int& all_equal, CUDASIM_HERE) const {
    return details::ToRanks(__match_all_sync(mask_, value, &all_equal, file, line), mask_);
  }

  CUDASIM_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  CUDASIM_INLINE unsigned meta_group_size() const { return meta_size_; }

  // For the functions that work on groups.
  CUDASIM_INLINE unsigned lane_mask() const { return mask_; }

 protected:
  CUDASIM_INLINE lane_group(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : thread_group(details::Kind::kLanes, mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  template <class T>
  CUDASIM_INLINE T From(T value, unsigned rank, const char* file, int line) const {
    return details::ShuffleFrom(mask_, value, details::LaneOfRank(mask_, rank), file, line);
  }

 private:
  unsigned meta_rank_;  // among the groups of the same partition
  unsigned meta_size_;
};

// A tile of 1, 2, 4, 8, 16 or 32 neighbouring threads.
template <unsigned Size, class Parent = void>
class thread_block_tile : public lane_group {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0 && Size > 0,
                "cudasim: tiles of 1, 2, 4, 8, 16 or 32 threads are simulated");

 public:
  CUDASIM_INLINE thread_block_tile(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : lane_group(mask, meta_rank, meta_size) {}
  template <class OtherParent>
  CUDASIM_INLINE thread_block_tile(const thread_block_tile<Size, OtherParent>& tile)
      : lane_group(tile) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  CUDASIM_INLINE unsigned thread_rank() const { return details::Lane() % Size; }

  template <class T>
  CUDASIM_INLINE T shfl_xor(T value, unsigned with, CUDASIM_HERE) const {
    const unsigned rank = thread_rank();
    return From(value, rank ^ with * ((rank ^ with) < Size), file, line);
  }
};

// Converged threads, or a part of them.
class coalesced_group : public lane_group {
 public:
  CUDASIM_INLINE explicit coalesced_group(unsigned mask, unsigned meta_rank = 0,
                                          unsigned meta_size = 1)
      : lane_group(mask, meta_rank, meta_size) {}
  template <unsigned Size, class Parent>
  CUDASIM_INLINE coalesced_group(const thread_block_tile<Size, Parent>& tile) : lane_group(tile) {}
};

CUDASIM_INLINE coalesced_group coalesced_threads(CUDASIM_HERE) {
  return coalesced_group(__activemask(file, line));
}

namespace details {

CUDASIM_INLINE unsigned MaskOf(const lane_group& group) { return group.lane_mask(); }

}  // namespace details

// One thread of the group, the same each time, calls `function`.
template <class Function, class... Arguments>
CUDASIM_INLINE void invoke_one(const lane_group& group, Function&& function,
                               Arguments&&... arguments) {
  if (group.thread_rank() == 0) {
    std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  }
}
template <class Function, class... Arguments>
CUDASIM_INLINE void invoke_one(const thread_block& group, Function&& function,
                               Arguments&&... arguments) {
  if (group.thread_rank() == 0) {
    std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  }
}

// The same, and every thread of the group gets what it returned.
template <class Function, class... Arguments>
CUDASIM_INLINE auto invoke_one_broadcast(const lane_group& group, Function&& function,
                                         Arguments&&... arguments) {
  std::invoke_result_t<Function, Arguments...> result{};
  if (group.thread_rank() == 0) {
    result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  }
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
