// Cooperative groups: parts of groups.
#pragma once

#include "cudasim/lane_groups.h"

namespace cooperative_groups {
namespace details {

// The lanes of the caller's tile; those past the block's end count as returned.
CUDASIM_INLINE unsigned TileMask(unsigned size) {
  const unsigned first = Lane() & ~(size - 1);
  return (size == 32 ? 0xffffffffu : (1u << size) - 1) << first;
}

// The caller's part of `parent`, given its lanes: parts are numbered in ascending order of their
// lowest lanes.
CUDASIM_INLINE coalesced_group Part(const lane_group& parent, unsigned lanes, const char* file,
                                    int line) {
  const unsigned leader = static_cast<unsigned>(__builtin_ctz(lanes));
  const unsigned leaders = __ballot_sync(parent.lane_mask(), Lane() == leader ? 1 : 0, file, line);
  return coalesced_group(lanes,
                         static_cast<unsigned>(__builtin_popcount(leaders & LanesBelow(leader))),
                         static_cast<unsigned>(__builtin_popcount(leaders)));
}

}  // namespace details

template <unsigned Size>
CUDASIM_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return {details::TileMask(Size), block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}
template <unsigned Size, unsigned ParentSize, class GrandParent>
CUDASIM_INLINE thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>> tiled_partition(
    const thread_block_tile<ParentSize, GrandParent>& tile) {
  static_assert(Size <= ParentSize, "a part cannot be larger than the whole");
  return {details::TileMask(Size), tile.thread_rank() / Size, ParentSize / Size};
}

// Tiles of `size` threads by rank, a power of two of at most 32; the last one may be smaller.
CUDASIM_INLINE coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  const unsigned part = group.thread_rank() / size;
  unsigned lanes = 0;
  unsigned rest = group.lane_mask();
  for (unsigned rank = 0; rest != 0; ++rank, rest &= rest - 1) {
    if (rank / size == part) lanes |= rest & (0u - rest);
  }
  return coalesced_group(lanes, part, (group.size() + size - 1) / size);
}
CUDASIM_INLINE thread_group tiled_partition(const thread_block&, unsigned size) {
  const unsigned left = details::Volume(blockDim) - details::ThreadInBlock() / 32 * 32;
  const unsigned exist = left < 32 ? (1u << left) - 1 : 0xffffffffu;
  return coalesced_group(details::TileMask(size) & exist);
}
template <unsigned Size, class Parent>
CUDASIM_INLINE coalesced_group tiled_partition(const thread_block_tile<Size, Parent>& tile,
                                               unsigned size) {
  return tiled_partition(coalesced_group(tile), size);
}
// Of a block, a tile or coalesced threads whose type the caller does not know.
CUDASIM_INLINE thread_group tiled_partition(const thread_group& group, unsigned size) {
  if (group.kind_ != details::Kind::kLanes) return tiled_partition(this_thread_block(), size);
  return tiled_partition(coalesced_group(group.mask_), size);
}

// The threads of the group whose label is the caller's.
template <class Label>
CUDASIM_INLINE coalesced_group labeled_partition(const lane_group& group, Label label,
                                                 CUDASIM_HERE) {
  return details::Part(group, __match_any_sync(group.lane_mask(), label, file, line), file, line);
}

// The threads of the group whose predicate is the caller's.
CUDASIM_INLINE coalesced_group binary_partition(const lane_group& group, bool predicate,
                                                CUDASIM_HERE) {
  const unsigned yes = __ballot_sync(group.lane_mask(), predicate, file, line);
  const unsigned lanes = predicate ? yes : group.lane_mask() & ~yes;
  return details::Part(group, lanes, file, line);
}

}  // namespace cooperative_groups
