// Where Thrust's algorithms run: thrust::host, thrust::seq, thrust::device, thrust::cuda::par.
//
// With a policy of the device an algorithm is a kernel in the policy's stream, for which the host
// waits, but not with par_nosync.  In a kernel every policy runs it in the calling thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "cudasim/library_launch.h"
#include "system_error.h"
#include "system_traits.h"

namespace thrust::policies {

using cudasim::library::InKernel;
using cudasim::library::Name;

struct HostPolicy {
  cudaStream_t stream = nullptr;  // not used
};

struct DevicePolicy {
  cudaStream_t stream = nullptr;
  bool host_waits = true;

  constexpr DevicePolicy on(cudaStream_t other) const { return {other, host_waits}; }
};

template <class T>
concept Policy = std::same_as<T, HostPolicy> || std::same_as<T, DevicePolicy>;

// The policy of an algorithm that is called without one, with these arguments.
template <class... Arguments>
constexpr auto PolicyOf() {
  constexpr bool on_host = ((kSystemOf<Arguments> == System::kHost) || ...);
  constexpr bool on_device = ((kSystemOf<Arguments> == System::kDevice) || ...);
  static_assert(!on_host || !on_device,
                "cudasim: iterators of the host and of the device in one algorithm of thrust: copy "
                "with thrust::copy first");
  return std::conditional_t<on_host, HostPolicy, DevicePolicy>();
}

// True if the algorithm is to run as a kernel.
template <class P>
CUDASIM_INLINE bool Launches() {
  return std::same_as<P, DevicePolicy> && !InKernel();
}

CUDASIM_INLINE void EndLaunch(const DevicePolicy& policy, const char* name) {
  cuda_errors::Check(cudaPeekAtLastError(), name);
  if (policy.host_waits) cuda_errors::Check(cudaStreamSynchronize(policy.stream), name);
}
CUDASIM_INLINE void EndLaunch(HostPolicy, const char*) {}

// body(i) for each i below `count`.
template <Name kName, Policy P, class Body>
CUDASIM_INLINE void RunForEach(P policy, std::size_t count, Body body) {
  if (count == 0) return;
  if (!Launches<P>()) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  cudasim::library::LaunchForEach<kName>(policy.stream, count, body);
  EndLaunch(policy, kName.text);
}

template <Name kName, Policy P, class Body>
CUDASIM_INLINE void RunOnce(P policy, Body body) {
  if (!Launches<P>()) return body();
  cudasim::library::LaunchOnce<kName>(policy.stream, body);
  EndLaunch(policy, kName.text);
}

// Temporary memory of the device, in the policy's stream, or of the thread that runs.
template <class T, Policy P>
class Space {
 public:
  CUDASIM_INLINE Space(P policy, std::size_t count) : policy_(policy) {
    const std::size_t bytes = count * sizeof(T);
    if (!Launches<P>()) {
      data_ = static_cast<T*>(malloc(bytes));
      return;
    }
    void* memory = nullptr;
    cuda_errors::Check(cudaMallocAsync(&memory, bytes, policy.stream), "temporary memory");
    data_ = static_cast<T*>(memory);
  }
  CUDASIM_INLINE ~Space() {
    Launches<P>() ? static_cast<void>(cudaFreeAsync(data_, policy_.stream)) : free(data_);
  }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  CUDASIM_INLINE T* get() const { return data_; }

 private:
  P policy_;
  T* data_ = nullptr;
};

// The result of body(), for which the host waits with every policy.
template <Name kName, Policy P, class Body>
CUDASIM_INLINE auto Compute(P policy, Body body) {
  using T = decltype(body());
  if (!Launches<P>()) return body();
  const Space<T, P> result(policy, 1);
  T* const out = result.get();
  const auto store = [=]() mutable CUDASIM_INLINE_LAMBDA {
    ::new (static_cast<void*>(out)) T(body());
  };
  cudasim::library::LaunchOnce<kName>(policy.stream, store);
  cuda_errors::Check(cudaPeekAtLastError(), kName.text);
  alignas(T) char value[sizeof(T)];
  const cudaError_t copied =
      cudaMemcpyAsync(value, out, sizeof(T), cudaMemcpyDeviceToHost, policy.stream);
  cuda_errors::Check(copied, kName.text);
  cuda_errors::Check(cudaStreamSynchronize(policy.stream), kName.text);
  return T(*reinterpret_cast<T*>(value));
}

}  // namespace thrust::policies

// Defines the form without a policy: that of its iterators.
#define CUDASIM_WITHOUT_POLICY(name)                                                       \
  template <class First, class... Rest>                                                    \
  requires(!policies::Policy<First>) CUDASIM_INLINE auto name(First first, Rest... rest) { \
    return thrust::name(policies::PolicyOf<First, Rest...>(), first, rest...);             \
  }

// A function of Thrust that the simulator lacks: a call is an error that names it.
#define CUDASIM_REFUSE_THRUST(name)                                                             \
  template <class... Arguments>                                                                 \
  auto name(Arguments...) {                                                                     \
    static_assert(sizeof...(Arguments) > 99,                                                    \
                  "cudasim: thrust::" #name " is not simulated; see common/cudasim/README.md"); \
  }

namespace thrust {

inline constexpr policies::HostPolicy host{};
inline constexpr policies::HostPolicy seq{};
inline constexpr policies::DevicePolicy device{};

namespace cuda {
inline constexpr policies::DevicePolicy par{};
inline constexpr policies::DevicePolicy par_nosync{nullptr, false};
}  // namespace cuda
namespace system::cuda {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
}  // namespace system::cuda

}  // namespace thrust
