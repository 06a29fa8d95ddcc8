// cooperative_groups::inclusive_scan() and exclusive_scan().
#pragma once

#include "../cooperative_groups.h"

#ifdef __CUDACC__

#include "cudasim/group_operations.h"

namespace cooperative_groups {

// The values of all lower ranks and the thread's own, combined.
template <class Group, class T, class Operation = plus<T>>
CUDASIM_INLINE T inclusive_scan(const Group& group, T value, Operation operation = {},
                                CUDASIM_HERE) {
  using Slot = details::Slot<T, Operation>;
  Slot slot{value, &operation};
  cudasim_warp_combine(
      file, line, details::MaskOf(group),
      [](void* const* values, unsigned lanes) {
        details::Fold<Slot>(values, lanes, [](Slot& each, const T& sum) { each.value = sum; });
      },
      &slot);
  return slot.value;
}

// The values of all lower ranks, combined; rank 0 gets T{}.
template <class Group, class T, class Operation = plus<T>>
CUDASIM_INLINE T exclusive_scan(const Group& group, T value, Operation operation = {},
                                CUDASIM_HERE) {
  using Slot = details::Slot<T, Operation>;
  Slot slot{value, &operation};
  cudasim_warp_combine(
      file, line, details::MaskOf(group),
      [](void* const* values, unsigned lanes) {
        T before{};
        details::Fold<Slot>(values, lanes, [&](Slot& each, const T& sum) {
          each.value = before;
          before = sum;
        });
      },
      &slot);
  return slot.value;
}

}  // namespace cooperative_groups

#endif
