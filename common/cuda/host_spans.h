#pragma once

// Spans of a CUDA lab in memory that the host reaches, too. Compiles without CUDA, as
// device_span.h does.

#include <span>

#include "common/lab/call/parameter.h"

namespace lab {

// `size()` elements in pinned host memory (cudaMallocHost): a copy between it and the device can
// run beside the host. Used like std::span, on the host. const T says input.
template <typename T>
class PinnedSpan : public std::span<T> {
 public:
  using std::span<T>::span;
};

// `size()` elements in managed memory (cudaMallocManaged), which host code and kernels use by the
// same address, though not at the same time.
template <typename T>
class ManagedSpan : public std::span<T> {
 public:
  using std::span<T>::span;
};

// A test passes a host span; the harness copies it there and back.
template <typename T>
struct ParameterTraits<PinnedSpan<T>> : ParameterTraits<std::span<T>> {
  static constexpr Place kPlace = Place::kPinned;
};

template <typename T>
struct ParameterTraits<ManagedSpan<T>> : ParameterTraits<std::span<T>> {
  static constexpr Place kPlace = Place::kManaged;
};

}  // namespace lab

using lab::ManagedSpan;
using lab::PinnedSpan;
