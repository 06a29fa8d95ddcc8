// thrust::sort, sort_by_key and their stable forms, which are the same: a merge sort.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class It, class Less = less<>>
CUDASIM_INLINE void stable_sort(P policy, It first, It last, Less less = {}) {
  const std::size_t count = last - first;
  if (count < 2) return;
  const policies::Space<std::iter_value_t<It>, P> space(policy, 2 * count);
  const auto body = [=, values = Raw(first), space = space.get()]() mutable CUDASIM_INLINE_LAMBDA {
    cudasim::library::SortValues(values, count, values, space, less);
  };
  policies::RunOnce<"thrust::sort">(policy, body);
}
CUDASIM_WITHOUT_POLICY(stable_sort)

template <policies::Policy P, class It, class Less = less<>>
CUDASIM_INLINE void sort(P policy, It first, It last, Less less = {}) {
  thrust::stable_sort(policy, first, last, less);
}
CUDASIM_WITHOUT_POLICY(sort)

template <policies::Policy P, class Keys, class Values, class Less = less<>>
CUDASIM_INLINE void stable_sort_by_key(P policy, Keys first, Keys last, Values values,
                                       Less less = {}) {
  using Item = cudasim::library::Pair<std::iter_value_t<Keys>, std::iter_value_t<Values>>;
  const std::size_t count = last - first;
  if (count < 2) return;
  const policies::Space<Item, P> space(policy, 2 * count);
  const auto body = [=, keys = Raw(first), of = Raw(values),
                     space = space.get()]() mutable CUDASIM_INLINE_LAMBDA {
    cudasim::library::SortPairs(keys, of, count, keys, of, space, less);
  };
  policies::RunOnce<"thrust::sort_by_key">(policy, body);
}
CUDASIM_WITHOUT_POLICY(stable_sort_by_key)

template <policies::Policy P, class Keys, class Values, class Less = less<>>
CUDASIM_INLINE void sort_by_key(P policy, Keys first, Keys last, Values values, Less less = {}) {
  thrust::stable_sort_by_key(policy, first, last, values, less);
}
CUDASIM_WITHOUT_POLICY(sort_by_key)

CUDASIM_REFUSE_THRUST(is_sorted)

}  // namespace thrust
