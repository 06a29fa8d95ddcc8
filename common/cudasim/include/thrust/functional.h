// Thrust's function objects.
#pragma once

#include "execution_policy.h"

namespace thrust {

#define CUDASIM_BINARY(name, Result, expression)                               \
  template <class T = void>                                                    \
  struct name {                                                                \
    using first_argument_type = T;                                             \
    using second_argument_type = T;                                            \
    using result_type = Result;                                                \
    constexpr CUDASIM_INLINE Result operator()(const T& a, const T& b) const { \
      return expression;                                                       \
    }                                                                          \
  };                                                                           \
  template <>                                                                  \
  struct name<void> {                                                          \
    template <class A, class B>                                                \
    constexpr CUDASIM_INLINE auto operator()(const A& a, const B& b) const {   \
      return expression;                                                       \
    }                                                                          \
  };
#define CUDASIM_UNARY(name, Result, expression)                                         \
  template <class T = void>                                                             \
  struct name {                                                                         \
    using argument_type = T;                                                            \
    using result_type = Result;                                                         \
    constexpr CUDASIM_INLINE Result operator()(const T& a) const { return expression; } \
  };                                                                                    \
  template <>                                                                           \
  struct name<void> {                                                                   \
    template <class A>                                                                  \
    constexpr CUDASIM_INLINE auto operator()(const A& a) const {                        \
      return expression;                                                                \
    }                                                                                   \
  };
CUDASIM_BINARY(plus, T, a + b)
CUDASIM_BINARY(minus, T, a - b)
CUDASIM_BINARY(multiplies, T, a* b)
CUDASIM_BINARY(divides, T, a / b)
CUDASIM_BINARY(modulus, T, a % b)
CUDASIM_BINARY(bit_and, T, a& b)
CUDASIM_BINARY(bit_or, T, a | b)
CUDASIM_BINARY(bit_xor, T, a ^ b)
CUDASIM_BINARY(maximum, T, a < b ? b : a)
CUDASIM_BINARY(minimum, T, b < a ? b : a)
CUDASIM_BINARY(less, bool, a < b)
CUDASIM_BINARY(less_equal, bool, a <= b)
CUDASIM_BINARY(greater, bool, a > b)
CUDASIM_BINARY(greater_equal, bool, a >= b)
CUDASIM_BINARY(equal_to, bool, a == b)
CUDASIM_BINARY(not_equal_to, bool, a != b)
CUDASIM_BINARY(logical_and, bool, a&& b)
CUDASIM_BINARY(logical_or, bool, a || b)
CUDASIM_UNARY(negate, T, -a)
CUDASIM_UNARY(square, T, a* a)
CUDASIM_UNARY(identity, T, a)
CUDASIM_UNARY(logical_not, bool, !a)
#undef CUDASIM_BINARY
#undef CUDASIM_UNARY

CUDASIM_REFUSE_THRUST(not1)
CUDASIM_REFUSE_THRUST(not2)

namespace placeholders {
#define CUDASIM_REFUSE_PLACEHOLDER(name) \
  extern __attribute__((unavailable(     \
      "cudasim: thrust::placeholders is not simulated: write a lambda"))) const int name;
CUDASIM_REFUSE_PLACEHOLDER(_1)
CUDASIM_REFUSE_PLACEHOLDER(_2)
CUDASIM_REFUSE_PLACEHOLDER(_3)
#undef CUDASIM_REFUSE_PLACEHOLDER
}  // namespace placeholders

}  // namespace thrust
