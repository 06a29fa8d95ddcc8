// thrust::zip_function: a function of several arguments, called with a tuple of them.
#pragma once

#include "device_ptr.h"
#include "tuple.h"

namespace thrust {

template <class Function>
class zip_function {
 public:
  CUDASIM_INLINE explicit zip_function(Function function) : function_(function) {}

  template <class Tuple>
  CUDASIM_INLINE decltype(auto) operator()(Tuple&& arguments) const {
    return std::apply(function_, arguments);
  }

 private:
  mutable Function function_;
};

template <class Function>
CUDASIM_INLINE zip_function<Function> make_zip_function(Function function) {
  return zip_function<Function>(function);
}

}  // namespace thrust
