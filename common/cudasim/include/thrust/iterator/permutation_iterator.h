// thrust::permutation_iterator: elements in the order of indices, to be read or written.
#pragma once

#include "computed_iterator.h"

namespace thrust {

template <class Elements, class Indices>
struct PermutationFunction {
  using value_type = std::iter_value_t<Elements>;

  decltype(Raw(std::declval<Elements>())) elements;
  decltype(Raw(std::declval<Indices>())) indices;

  CUDASIM_INLINE PermutationFunction(Elements of, Indices by)
      : elements(Raw(of)), indices(Raw(by)) {}
  CUDASIM_INLINE decltype(auto) operator()(std::ptrdiff_t i) const { return elements[indices[i]]; }
  CUDASIM_INLINE std::ptrdiff_t operator-(const PermutationFunction& other) const {
    return indices - other.indices;
  }
};

template <class Elements, class Indices>
using permutation_iterator =
    computed_iterator<PermutationFunction<Elements, Indices>, CommonSystem<Elements, Indices>()>;

template <class Elements, class Indices>
CUDASIM_INLINE permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements,
                                                                                 Indices indices) {
  return permutation_iterator<Elements, Indices>(elements, indices);
}

}  // namespace thrust
