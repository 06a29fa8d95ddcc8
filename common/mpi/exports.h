#pragma once

// The exports of a message-passing lab include this before common/lab/exports/exports.h.

#include "common/lab/exports/staging.h"
#include "common/mpi/local_span.h"

namespace lab {

// Each rank gets its own part.
template <typename T>
class Staging<LocalSpan<T>> : public Staging<std::span<T>> {
 public:
  using Staging<std::span<T>>::Staging;

  LocalSpan<T> Value() const {
    const std::span<T> part = Staging<std::span<T>>::Value();
    return LocalSpan<T>(part.data(), part.size());
  }
};

}  // namespace lab
