// The sequential algorithms behind Thrust and CUB.  Iterators need operator[] only; every value is
// read once, before its place may be written, so that results may replace their inputs.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "cudasim/sweep.h"
#include "cudasim/vector_types.h"

namespace cudasim::library {

template <class In>
using ValueAt = std::remove_cvref_t<decltype(std::declval<In>()[0])>;

// Values that are computed: of(i) at i.
template <class Of>
struct Computed {
  Of of;
  CUDASIM_INLINE auto operator[](std::size_t i) { return of(i); }
};

template <class In, class T, class Op>
CUDASIM_INLINE T Fold(In in, std::size_t count, T total, Op op) {
  for (std::size_t i = 0; i < count; ++i) total = op(total, in[i]);
  return total;
}

// The same in an order of its own, every other value first: a parallel reduction promises none, so
// a program whose operator does not commute shows it here, too.
template <class In, class T, class Op>
CUDASIM_INLINE T Reduce(In in, std::size_t count, T total, Op op) {
  const Sweep sweep;
  for (std::size_t i = 0; i < count; ++i) {
    sweep.Step();
    const std::size_t place = 2 * i + 1;
    total = op(total, in[place < count ? place : 2 * (i - count / 2)]);
  }
  return total;
}

template <class In, class Out, class Op>
CUDASIM_INLINE void InclusiveScan(In in, std::size_t count, Out out, Op op) {
  if (count == 0) return;
  const Sweep sweep;
  ValueAt<In> total = in[0];
  out[0] = total;
  for (std::size_t i = 1; i < count; ++i) {
    sweep.Step();
    total = op(total, in[i]);
    out[i] = total;
  }
}

template <class In, class Out, class T, class Op>
CUDASIM_INLINE void ExclusiveScan(In in, std::size_t count, Out out, T total, Op op) {
  const Sweep sweep;
  for (std::size_t i = 0; i < count; ++i) {
    sweep.Step();
    const T next = op(total, in[i]);
    out[i] = total;
    total = next;
  }
}

template <class Keys, class In, class Out, class Equal, class Op>
CUDASIM_INLINE void InclusiveScanRuns(Keys keys, std::size_t count, In in, Out out, Equal equal,
                                      Op op) {
  if (count == 0) return;
  const Sweep sweep;
  ValueAt<Keys> last = keys[0];
  ValueAt<In> total = in[0];
  out[0] = total;
  for (std::size_t i = 1; i < count; ++i) {
    sweep.Step();
    const ValueAt<Keys> key = keys[i];
    const ValueAt<In> value = in[i];
    total = equal(last, key) ? static_cast<ValueAt<In>>(op(total, value)) : value;
    out[i] = total;
    last = key;
  }
}

template <class Keys, class In, class Out, class T, class Equal, class Op>
CUDASIM_INLINE void ExclusiveScanRuns(Keys keys, std::size_t count, In in, Out out, T init,
                                      Equal equal, Op op) {
  if (count == 0) return;
  const Sweep sweep;
  ValueAt<Keys> last = keys[0];
  T total = init;
  for (std::size_t i = 0; i < count; ++i) {
    sweep.Step();
    const ValueAt<Keys> key = i == 0 ? last : keys[i];
    const ValueAt<In> value = in[i];
    if (!equal(last, key)) total = init;
    out[i] = total;
    total = op(total, value);
    last = key;
  }
}

// Copies the values with selects(i).  Returns how many.
template <class In, class Out, class Selects>
CUDASIM_INLINE std::size_t Select(In in, std::size_t count, Out out, Selects selects) {
  const Sweep sweep;
  std::size_t selected = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sweep.Step();
    if (selects(i)) out[selected++] = in[i];
  }
  return selected;
}

// Copies the first value of each run of equal ones.  Returns how many.
template <class In, class Out, class Equal>
CUDASIM_INLINE std::size_t Unique(In in, std::size_t count, Out out, Equal equal) {
  if (count == 0) return 0;
  const Sweep sweep;
  ValueAt<In> last = in[0];
  std::size_t runs = 0;
  out[runs++] = last;
  for (std::size_t i = 1; i < count; ++i) {
    sweep.Step();
    const ValueAt<In> value = in[i];
    if (equal(last, value)) continue;
    out[runs++] = value;
    last = value;
  }
  return runs;
}

// Sums up each run of equal keys.  Returns the number of runs.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal, class Op>
CUDASIM_INLINE std::size_t ReduceRuns(Keys keys, std::size_t count, Values values, KeysOut keys_out,
                                      ValuesOut values_out, Equal equal, Op op) {
  if (count == 0) return 0;
  const Sweep sweep;
  std::size_t run = 0;
  ValueAt<Keys> key = keys[0];
  ValueAt<Values> total = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    sweep.Step();
    const ValueAt<Keys> next = keys[i];
    const ValueAt<Values> value = values[i];
    if (equal(key, next)) {
      total = op(total, value);
      continue;
    }
    keys_out[run] = key;
    values_out[run++] = total;
    key = next;
    total = value;
  }
  keys_out[run] = key;
  values_out[run++] = total;
  return run;
}

// The index of the first value that no other one precedes; 0 if there is none.
template <class In, class Less>
CUDASIM_INLINE std::size_t FirstOfAll(In in, std::size_t count, Less less) {
  const Sweep sweep;
  std::size_t first = 0;
  for (std::size_t i = 1; i < count; ++i) {
    sweep.Step();
    if (less(in[i], in[first])) first = i;
  }
  return first;
}

// Merges two sorted runs of `from`: [begin, middle) and [middle, end).
template <class Item, class Less>
CUDASIM_INLINE void Merge(const Sweep& sweep, const Item* from, std::size_t begin,
                          std::size_t middle, std::size_t end, Item* to, Less less) {
  std::size_t left = begin;
  std::size_t right = middle;
  for (std::size_t i = begin; i < end; ++i) {
    sweep.Step();
    const bool takes_right = left == middle || (right < end && less(from[right], from[left]));
    ::new (static_cast<void*>(to + i)) Item(from[takes_right ? right++ : left++]);
  }
}

// A stable merge sort, bottom up.  Returns where the sorted items are: `items`, or `spare`, which
// holds as many.
template <class Item, class Less>
CUDASIM_INLINE Item* MergeSort(Item* items, Item* spare, std::size_t count, Less less) {
  static_assert(std::is_trivially_destructible_v<Item>);
  for (std::size_t width = 1; width < count; width *= 2) {
    const Sweep sweep;
    for (std::size_t begin = 0; begin < count; begin += 2 * width) {
      const std::size_t middle = begin + width < count ? begin + width : count;
      const std::size_t end = middle + width < count ? middle + width : count;
      Merge(sweep, items, begin, middle, end, spare, less);
    }
    Item* const sorted = spare;
    spare = items;
    items = sorted;
  }
  return items;
}

// Sorts `count` values of `in` into `out`, in space for twice as many.
template <class In, class Out, class Less>
CUDASIM_INLINE void SortValues(In in, std::size_t count, Out out, ValueAt<In>* space, Less less) {
  for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void*>(space + i)) ValueAt<In>(in[i]);
  const ValueAt<In>* const sorted = MergeSort(space, space + count, count, less);
  for (std::size_t i = 0; i < count; ++i) out[i] = sorted[i];
}

template <class Key, class Value>
struct Pair {
  Key key;
  Value value;
};

// The same for keys and the values that go with them.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Less>
CUDASIM_INLINE void SortPairs(Keys keys, Values values, std::size_t count, KeysOut keys_out,
                              ValuesOut values_out, Pair<ValueAt<Keys>, ValueAt<Values>>* space,
                              Less less) {
  using Item = Pair<ValueAt<Keys>, ValueAt<Values>>;
  for (std::size_t i = 0; i < count; ++i) {
    ::new (static_cast<void*>(space + i)) Item{keys[i], values[i]};
  }
  const Item* const sorted = MergeSort(space, space + count, count,
                                       [&](const Item& a, const Item& b)
                                           CUDASIM_INLINE_LAMBDA { return less(a.key, b.key); });
  for (std::size_t i = 0; i < count; ++i) {
    keys_out[i] = sorted[i].key;
    values_out[i] = sorted[i].value;
  }
}

}  // namespace cudasim::library
