// cooperative_groups::reduce() and the operations that it takes.
#pragma once

#include "../cooperative_groups.h"

#ifdef __CUDACC__

#include "cudasim/group_operations.h"

namespace cooperative_groups {

// All values combined, in ascending order of rank; every thread of the group gets the result.
template <class Group, class T, class Operation>
CUDASIM_INLINE T reduce(const Group& group, T value, Operation operation, CUDASIM_HERE) {
  using Slot = details::Slot<T, Operation>;
  Slot slot{value, &operation};
  cudasim_warp_combine(
      file, line, details::MaskOf(group),
      [](void* const* values, unsigned lanes) {
        const T total = details::Fold<Slot>(values, lanes, [](Slot&, const T&) {});
        details::ForEach<Slot>(values, lanes, [&](Slot& each) { each.value = total; });
      },
      &slot);
  return slot.value;
}

}  // namespace cooperative_groups

#endif
