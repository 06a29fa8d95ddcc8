// cub::DeviceSelect: Flagged, If and Unique, which keep the order of the values.
#pragma once

#include "../two_phase.h"

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  CUDASIM_INLINE static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags,
                                            Out out, Count selected, std::int64_t count,
                                            cudaStream_t stream = nullptr) {
    const auto body = [=](void*) CUDASIM_INLINE_LAMBDA {
      const auto selects = [&](std::size_t i)
                               CUDASIM_INLINE_LAMBDA { return static_cast<bool>(flags[i]); };
      *selected = cudasim::library::Select(in, count, out, selects);
    };
    return two_phase::Run<"cub::DeviceSelect::Flagged">(
        storage, bytes, two_phase::BytesForTiles<int>(count), stream, body);
  }

  template <class In, class Out, class Count, class Selects>
  CUDASIM_INLINE static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out,
                                       Count selected, std::int64_t count, Selects selects,
                                       cudaStream_t stream = nullptr) {
    const auto body = [=](void*) mutable CUDASIM_INLINE_LAMBDA {
      *selected = cudasim::library::Select(
          in, count, out, [&](std::size_t i) CUDASIM_INLINE_LAMBDA { return selects(in[i]); });
    };
    return two_phase::Run<"cub::DeviceSelect::If">(
        storage, bytes, two_phase::BytesForTiles<int>(count), stream, body);
  }

  template <class In, class Out, class Count>
  CUDASIM_INLINE static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out,
                                           Count selected, std::int64_t count,
                                           cudaStream_t stream = nullptr) {
    const auto body = [=](void*) CUDASIM_INLINE_LAMBDA {
      *selected = cudasim::library::Unique(in, count, out, Equality());
    };
    return two_phase::Run<"cub::DeviceSelect::Unique">(
        storage, bytes, two_phase::BytesForTiles<int>(count), stream, body);
  }

  CUDASIM_REFUSE_CUB(DeviceSelect, FlaggedIf)
  CUDASIM_REFUSE_CUB(DeviceSelect, UniqueByKey)
};

}  // namespace cub
