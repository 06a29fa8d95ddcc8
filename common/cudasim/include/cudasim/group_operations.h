// Common to cooperative groups' reduce and scans.
#pragma once

#include "cudasim/lane_groups.h"

namespace cooperative_groups {

#define CUDASIM_GROUP_OPERATION(name, expression)                                      \
  template <class T = void>                                                            \
  struct name {                                                                        \
    CUDASIM_INLINE T operator()(T a, T b) const { return static_cast<T>(expression); } \
  };                                                                                   \
  template <>                                                                          \
  struct name<void> {                                                                  \
    template <class T>                                                                 \
    CUDASIM_INLINE T operator()(T a, T b) const {                                      \
      return static_cast<T>(expression);                                               \
    }                                                                                  \
  };
CUDASIM_GROUP_OPERATION(plus, a + b)
CUDASIM_GROUP_OPERATION(less, b < a ? b : a)
CUDASIM_GROUP_OPERATION(greater, a < b ? b : a)
CUDASIM_GROUP_OPERATION(bit_and, a& b)
CUDASIM_GROUP_OPERATION(bit_or, a | b)
CUDASIM_GROUP_OPERATION(bit_xor, a ^ b)
#undef CUDASIM_GROUP_OPERATION

namespace details {

// A lane's input to a reduce or a scan, and its result.
template <class T, class Operation>
struct Slot {
  using Value = T;
  T value;
  Operation* operation;
};

template <class Slot, class Visit>
void ForEach(void* const* values, unsigned lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) {
    visit(*static_cast<Slot*>(values[__builtin_ctz(lanes)]));
  }
}

// Combines the lanes' values in ascending order.  `visit(slot, so_far)` sees each lane's slot,
// after its value has been combined.
template <class Slot, class Visit>
typename Slot::Value Fold(void* const* values, unsigned lanes, Visit visit) {
  Slot& first = *static_cast<Slot*>(values[__builtin_ctz(lanes)]);
  typename Slot::Value so_far = first.value;
  visit(first, so_far);
  ForEach<Slot>(values, lanes & (lanes - 1), [&](Slot& slot) {
    so_far = (*slot.operation)(so_far, slot.value);
    visit(slot, so_far);
  });
  return so_far;
}

}  // namespace details
}  // namespace cooperative_groups
