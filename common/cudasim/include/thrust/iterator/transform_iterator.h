// thrust::transform_iterator: a function of another iterator's values.
#pragma once

#include "computed_iterator.h"

namespace thrust {

template <class Function, class In>
struct TransformFunction {
  In in;
  mutable Function function;

  CUDASIM_INLINE TransformFunction(In of, Function with) : in(of), function(with) {}
  CUDASIM_INLINE auto operator()(std::ptrdiff_t i) const {
    const std::iter_value_t<In> value = in[i];
    return function(value);
  }
  CUDASIM_INLINE std::ptrdiff_t operator-(const TransformFunction& other) const {
    return in - other.in;
  }
};

template <class Function, class In>
using transform_iterator = computed_iterator<TransformFunction<Function, In>, kSystemOf<In>>;

template <class In, class Function>
CUDASIM_INLINE transform_iterator<Function, In> make_transform_iterator(In in, Function function) {
  return transform_iterator<Function, In>(in, function);
}

}  // namespace thrust
