#pragma once

// A typed call of a lab's function. Needs its declaration, not its definition:
//
//   #include "labs/histogram/histogram.h"
//   const lab::Function<decltype(Histogram)> histogram{"Histogram"};
//   ...
//   histogram(text, bins);   // text: std::string or span, bins: std::vector<unsigned> or span
//
// The same test source runs in process or through the grader's worker; see common/lab/call/call.h.

#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "common/lab/call/call.h"
#include "common/lab/call/parameter.h"
#include "common/lab/testing/last_call.h"
#include "common/lab/testing/number_printer.h"

namespace lab {
namespace internal {

template <typename... T>
struct TypeList {};

template <typename... A, typename... B>
TypeList<A..., B...> Join(TypeList<A...>, TypeList<B...>);

// The parameters that a test passes, in order.
template <typename... P>
struct PassedTypes {
  using Type = TypeList<>;
};

template <typename First, typename... Rest>
struct PassedTypes<First, Rest...> {
  using Head = std::conditional_t<kPassedByTest<First>, TypeList<First>, TypeList<>>;
  using Type = decltype(Join(Head{}, typename PassedTypes<Rest...>::Type{}));
};

// The argument for parameter type P.
template <typename P, typename Value>
Argument MakeArgument(Value& value) {
  using Traits = ParameterTraits<P>;
  using Element = typename Traits::Element;
  Argument argument{Traits::kKind, sizeof(Element), alignof(Element), nullptr, 1};
  argument.device_span = Traits::kPlace == Place::kDevice;
  if constexpr (Traits::kKind == Argument::Kind::kScalar) {
    argument.data = &value;
  } else {
    argument.data = const_cast<std::remove_const_t<Element>*>(value.data());
    argument.count = value.size();
  }
  return argument;
}

// Adds the arguments for parameter type P: one, or one for each rank.
template <typename P>
void AddArguments(typename ParameterTraits<P>::Host& value, std::vector<Argument>& arguments) {
  if constexpr (ParameterTraits<P>::kPlace == Place::kEachRank) {
    int rank = 0;
    for (auto& part : value) {
      arguments.push_back(MakeArgument<std::span<typename ParameterTraits<P>::Element>>(part));
      arguments.back().rank = rank++;
    }
  } else {
    arguments.push_back(MakeArgument<P>(value));
  }
}

template <typename R, typename Passed>
class TypedCall;

template <typename R, typename... P>
class TypedCall<R, TypeList<P...>> {
 public:
  constexpr TypedCall(const char* name, std::uint64_t signature)
      : name_(name), signature_(signature) {}

  // Calls the function. A std::vector, std::array or std::span converts to a span parameter; spans
  // must not overlap unless the contract says so. Throws what lab::Invoke throws.
  R operator()(typename ParameterTraits<P>::Host... values) const {
    std::vector<Argument> arguments;
    (AddArguments<P>(values, arguments), ...);
    if constexpr (std::is_void_v<R>) {
      InvokeAndRemember({name_, signature_, arguments, nullptr, 0});
    } else {
      struct alignas(R) Bytes {
        std::byte bytes[sizeof(R)];
      } result{};
      InvokeAndRemember({name_, signature_, arguments, &result, sizeof(R)});
      return std::bit_cast<R>(result);
    }
  }

  const char* name() const { return name_; }

 private:
  const char* name_;
  std::uint64_t signature_;
};

}  // namespace internal

template <typename F>
class Function;

// Immutable; cheap to copy; `name` must outlive it (a string literal does).
template <typename R, typename... P>
class Function<R(P...)>
    : public internal::TypedCall<R, typename internal::PassedTypes<P...>::Type> {
 public:
  explicit constexpr Function(const char* name)
      : internal::TypedCall<R, typename internal::PassedTypes<P...>::Type>(name,
                                                                           kSignature<R(P...)>) {}
};

}  // namespace lab
