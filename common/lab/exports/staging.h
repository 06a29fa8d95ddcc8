#pragma once

// How an Argument becomes a parameter on the function's side of a call.
//
// Staging<P> is made from the Argument (stage), gives the parameter's value (start), waits for the
// call's work (Finish, still timed), brings outputs back (Fetch) and gives up its memory when
// destroyed (release). Host spans are used where they lie, so all but Value do nothing.
// common/cuda/parameter.h adds device memory and streams.

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "common/lab/call/call.h"
#include "common/lab/call/parameter.h"

#ifdef __CUDASIM__
// Defined by the modes of the simulator that account for calls; see cudasim/call_account.h.
extern "C" __attribute__((weak)) void cudasimNameHostArgument(const void* begin, std::size_t bytes,
                                                              int is_output);
#endif

namespace lab {
namespace internal {

// Throws std::invalid_argument unless `argument` fits parameter type P. A mismatch means that the
// two sides were built from different contract headers.
template <typename P>
void CheckArgument(const Argument& argument) {
  using Traits = ParameterTraits<P>;
  using Element = typename Traits::Element;
  if (argument.kind != Traits::kKind || argument.element_size != sizeof(Element) ||
      (argument.kind == Argument::Kind::kScalar && argument.count != 1)) {
    throw std::invalid_argument("argument of another kind or size than the contract says");
  }
  if (argument.count > 0 && argument.data == nullptr) {
    throw std::invalid_argument("argument without data: " + std::to_string(argument.count) +
                                " elements");
  }
}

}  // namespace internal

template <typename P>
class Staging {
 public:
  explicit Staging(const Argument& argument) : argument_(argument) {
    internal::CheckArgument<P>(argument);
  }

  P Value() const {
    struct alignas(P) Bytes {
      std::byte bytes[sizeof(P)];
    } value;
    std::memcpy(&value, argument_.data, sizeof(P));
    return std::bit_cast<P>(value);
  }
  void Finish() {}
  void Fetch() {}

 private:
  Argument argument_;
};

template <typename T, std::size_t kExtent>
class Staging<std::span<T, kExtent>> {
 public:
  explicit Staging(const Argument& argument) : argument_(argument) {
    internal::CheckArgument<std::span<T, kExtent>>(argument);
    if (kExtent != std::dynamic_extent && argument.count != kExtent) {
      throw std::invalid_argument("span of " + std::to_string(argument.count) +
                                  " elements, the contract says " + std::to_string(kExtent));
    }
  }

  std::span<T, kExtent> Value() const {
#ifdef __CUDASIM__
    if (&cudasimNameHostArgument != nullptr && argument_.count > 0) {
      cudasimNameHostArgument(argument_.data, argument_.count * sizeof(T), !std::is_const_v<T>);
    }
#endif
    return std::span<T, kExtent>(static_cast<T*>(argument_.data), argument_.count);
  }
  void Finish() {}
  void Fetch() {}

 private:
  Argument argument_;
};

}  // namespace lab
