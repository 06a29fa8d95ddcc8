// thrust::zip_iterator: tuples of the elements of several ranges, to be read or written.
#pragma once

#include "../tuple.h"
#include "computed_iterator.h"

namespace thrust {

template <class... Iterators>
struct ZipFunction {
  using value_type = tuple<std::iter_value_t<Iterators>...>;
  using Ranges = tuple<decltype(Raw(std::declval<Iterators>()))...>;

  Ranges ranges;

  CUDASIM_INLINE explicit ZipFunction(Iterators... of) : ranges(Raw(of)...) {}
  CUDASIM_INLINE auto operator()(std::ptrdiff_t i) const {
    return std::apply(
        [i](const auto&... range) { return tuple<decltype(range[i])...>(range[i]...); }, ranges);
  }
  CUDASIM_INLINE std::ptrdiff_t operator-(const ZipFunction& other) const {
    return get<0>(ranges) - get<0>(other.ranges);
  }
};

template <class... Iterators>
CUDASIM_INLINE auto make_zip_iterator(Iterators... iterators) {
  return computed_iterator<ZipFunction<Iterators...>, CommonSystem<Iterators...>()>(iterators...);
}
template <class... Iterators>
CUDASIM_INLINE auto make_zip_iterator(const tuple<Iterators...>& iterators) {
  return std::apply([](auto... each) { return thrust::make_zip_iterator(each...); }, iterators);
}

}  // namespace thrust
