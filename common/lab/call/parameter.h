#pragma once

// The parameter types of a lab's function, and how each is passed:
//
//   std::span<const T>   input    contents travel to the function
//   std::span<T>         in-out   contents travel to the function and back
//   T                    scalar   by value; T is trivially copyable and holds no pointer
//
// DeviceSpan<T> and cudaStream_t are added by common/cuda/device_span.h, PinnedSpan<T> and
// ManagedSpan<T> by common/cuda/host_spans.h, LocalSpan<T> by common/mpi/local_span.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "common/lab/call/call.h"

namespace lab {

// Where a parameter lives while the function runs.
enum class Place : std::uint8_t {
  kHost = 0,
  kDevice = 1,
  kSupplied = 2,  // made by the harness; the test passes nothing
  kPinned = 3,    // in host memory that a device copies from and to by itself
  kManaged = 4,   // in memory of both
  kEachRank = 5,  // a part in the memory of each rank; see common/mpi/local_span.h
};

// The traits of parameter type P. Host is what a test passes for it. This is the scalar case.
template <typename P>
struct ParameterTraits {
  static_assert(!std::is_reference_v<P>, "a lab's function takes its parameters by value");
  static_assert(!std::is_pointer_v<P>, "a lab's function takes spans, not pointers");
  static_assert(!std::ranges::enable_borrowed_range<P>,
                "a lab's function takes std::span, not another kind of view");
  static_assert(std::is_trivially_copyable_v<P>,
                "a scalar parameter of a lab's function must be trivially copyable");
  using Host = P;
  using Element = P;
  static constexpr Argument::Kind kKind = Argument::Kind::kScalar;
  static constexpr Place kPlace = Place::kHost;
};

template <typename T, std::size_t kExtent>
struct ParameterTraits<std::span<T, kExtent>> {
  static_assert(std::is_trivially_copyable_v<T>,
                "the elements of a lab's spans must be trivially copyable");
  using Host = std::span<T, kExtent>;
  using Element = T;
  static constexpr Argument::Kind kKind =
      std::is_const_v<T> ? Argument::Kind::kInput : Argument::Kind::kInOut;
  static constexpr Place kPlace = Place::kHost;
};

// Whether a test passes an argument for parameter type P.
template <typename P>
inline constexpr bool kPassedByTest = ParameterTraits<P>::kPlace != Place::kSupplied;

namespace internal {

// The part of a type that must agree between two compilers, beside its size.
template <typename T>
constexpr std::uint8_t NumberClass() {
  if constexpr (std::is_enum_v<T>) {
    return NumberClass<std::underlying_type_t<T>>();
  } else if constexpr (std::is_floating_point_v<T>) {
    return 3;
  } else if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? 1 : 2;
  }
  return 4;
}

// 64-bit FNV-1a. Names of types are not hashed: g++ and clang++ spell them differently.
class SignatureHash {
 public:
  constexpr void Add(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ (value & 0xff)) * 0x100000001b3u;
      value >>= 8;
    }
  }
  constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

template <typename T>
constexpr void AddType(SignatureHash& hash) {
  if constexpr (std::is_void_v<T>) {
    hash.Add(0);
  } else {
    hash.Add(sizeof(T));
    hash.Add(NumberClass<std::remove_cv_t<T>>());
  }
}

template <typename P>
constexpr void AddParameter(SignatureHash& hash) {
  using Traits = ParameterTraits<P>;
  hash.Add(static_cast<std::uint64_t>(Traits::kKind));
  hash.Add(static_cast<std::uint64_t>(Traits::kPlace));
  AddType<typename Traits::Element>(hash);
}

template <typename R>
constexpr void CheckResult() {
  static_assert(std::is_void_v<R> || std::is_trivially_copyable_v<R>,
                "a lab's function returns nothing or a trivially copyable value");
  static_assert(!std::is_pointer_v<R> && !std::is_reference_v<R>,
                "a lab's function returns a value: a pointer means nothing in another process");
}

template <typename F>
struct SignatureOf {
  static_assert(!std::is_same_v<F, F>, "not the type of a function a lab can have");
};

template <typename R, typename... P>
struct SignatureOf<R(P...)> {
  static constexpr std::uint64_t Value() {
    CheckResult<R>();
    SignatureHash hash;
    AddType<R>(hash);
    (AddParameter<P>(hash), ...);
    return hash.value();
  }
};

template <typename R, typename... P>
struct SignatureOf<R(P...) noexcept> {
  static_assert(!std::is_same_v<R, R>,
                "a lab's function is not noexcept: LAB_NOT_WRITTEN() leaves it by an exception");
};

}  // namespace internal

// Fingerprint of a function type: number, order, kind, place, element size and number class
// (signed, unsigned, floating, other) of its parameters, and its result. The same for every
// compiler of one architecture.
template <typename F>
inline constexpr std::uint64_t kSignature = internal::SignatureOf<F>::Value();

}  // namespace lab
