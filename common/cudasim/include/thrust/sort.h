// thrust::sort, sort_by_key and their stable forms, which are the same: a radix sort of numbers in
// ascending or descending order, as on a GPU, else a merge sort.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

namespace sorts {

template <class Key, template <class> class Order, class Less>
inline constexpr bool kIs = std::same_as<Less, Order<Key>> || std::same_as<Less, Order<void>>;

template <class Key, class Less>
inline constexpr bool kByDigits = std::is_arithmetic_v<Key> && sizeof(Key) <= 8 &&
                                  (kIs<Key, less, Less> || kIs<Key, greater, Less>);

template <policies::Policy P, class Keys, class Values, class Spare>
CUDASIM_INLINE void SortByDigits(P policy, std::size_t count, Keys keys, Values values, Spare spare,
                                 bool descending) {
  using cudasim::library::Items;
  const int bits = 8 * sizeof(cudasim::library::ValueAt<Keys>);
  const auto body = [=]() mutable CUDASIM_INLINE_LAMBDA {
    const Items items{keys, values};
    cudasim::library::RadixSort(items, count, items, spare, {0, bits, descending}, true);
  };
  policies::RunOnce<"thrust::sort">(policy, body);
}

}  // namespace sorts

template <policies::Policy P, class It, class Less = less<>>
CUDASIM_INLINE void stable_sort(P policy, It first, It last, Less less = {}) {
  using Key = std::iter_value_t<It>;
  const std::size_t count = last - first;
  if (count < 2) return;
  if constexpr (sorts::kByDigits<Key, Less>) {
    using cudasim::library::NoValues;
    const policies::Space<Key, P> space(policy, count);
    const cudasim::library::Items spare{space.get(), NoValues()};
    sorts::SortByDigits(policy, count, Raw(first), NoValues(), spare, less(Key(1), Key(0)));
  } else {
    const policies::Space<Key, P> space(policy, 2 * count);
    const auto body = [=, values = Raw(first),
                       space = space.get()]() mutable CUDASIM_INLINE_LAMBDA {
      cudasim::library::SortValues(values, count, values, space, less);
    };
    policies::RunOnce<"thrust::sort">(policy, body);
  }
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
  using Key = std::iter_value_t<Keys>;
  using Value = std::iter_value_t<Values>;
  const std::size_t count = last - first;
  if (count < 2) return;
  if constexpr (sorts::kByDigits<Key, Less>) {
    const policies::Space<Key, P> keys(policy, count);
    const policies::Space<Value, P> of(policy, count);
    const cudasim::library::Items spare{keys.get(), of.get()};
    sorts::SortByDigits(policy, count, Raw(first), Raw(values), spare, less(Key(1), Key(0)));
  } else {
    using Item = cudasim::library::Pair<Key, Value>;
    const policies::Space<Item, P> space(policy, 2 * count);
    const auto body = [=, keys = Raw(first), of = Raw(values),
                       space = space.get()]() mutable CUDASIM_INLINE_LAMBDA {
      cudasim::library::SortPairs(keys, of, count, keys, of, space, less);
    };
    policies::RunOnce<"thrust::sort_by_key">(policy, body);
  }
}
CUDASIM_WITHOUT_POLICY(stable_sort_by_key)

template <policies::Policy P, class Keys, class Values, class Less = less<>>
CUDASIM_INLINE void sort_by_key(P policy, Keys first, Keys last, Values values, Less less = {}) {
  thrust::stable_sort_by_key(policy, first, last, values, less);
}
CUDASIM_WITHOUT_POLICY(sort_by_key)

template <policies::Policy P, class It, class Less = less<>>
CUDASIM_INLINE bool is_sorted(P policy, It first, It last, Less less = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first)]() mutable CUDASIM_INLINE_LAMBDA {
    const auto falls = [&](std::size_t i)
                           CUDASIM_INLINE_LAMBDA { return i > 0 && less(in[i], in[i - 1]); };
    const auto either = [](bool a, bool b) CUDASIM_INLINE_LAMBDA { return a || b; };
    return !cudasim::library::Reduce(cudasim::library::Computed{falls}, count, false, either);
  };
  return policies::Compute<"thrust::is_sorted">(policy, body);
}
CUDASIM_WITHOUT_POLICY(is_sorted)

}  // namespace thrust
