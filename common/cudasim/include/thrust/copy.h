// thrust::copy, copy_n and copy_if.  Between host and device the host waits for the copy.
#pragma once

#include <algorithm>
#include <memory>

#include "device_ptr.h"

namespace thrust {

template <policies::Policy P, class In, class Out>
CUDASIM_INLINE Out copy(P policy, In first, In last, Out out) {
  const auto count = last - first;
  const auto body = [from = Raw(first), to = Raw(out)](std::size_t i)
                        CUDASIM_INLINE_LAMBDA { to[i] = from[i]; };
  policies::RunForEach<"thrust::copy">(policy, count, body);
  return out + count;
}

namespace copies {

CUDASIM_INLINE void CopyBytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cuda_errors::Check(cudaMemcpy(to, from, bytes, kind), "thrust::copy");
}

template <class T, class Out>
CUDASIM_INLINE Out ToHost(T* first, std::size_t count, Out out) {
  using Value = std::remove_const_t<T>;
  const std::unique_ptr<Value[]> values(new Value[count]);
  CopyBytes(values.get(), first, count * sizeof(T), cudaMemcpyDeviceToHost);
  return std::copy_n(values.get(), count, out);
}

// The values of a computed_iterator are computed on the device.
template <class In, class Out>
CUDASIM_INLINE Out ToHost(In first, std::size_t count, Out out) {
  using T = typename In::value_type;
  const policies::Space<T, policies::DevicePolicy> values(policies::DevicePolicy(), count);
  thrust::copy(policies::DevicePolicy(), first, first + count, values.get());
  return ToHost(values.get(), count, out);
}

template <class In, class T>
CUDASIM_INLINE void ToDevice(In first, In last, T* out, std::size_t count) {
  const std::unique_ptr<T[]> values(new T[count]);
  std::copy(first, last, values.get());
  CopyBytes(out, values.get(), count * sizeof(T), cudaMemcpyHostToDevice);
}

}  // namespace copies

template <class In, class Out>
CUDASIM_INLINE Out copy(In first, In last, Out out) {
  constexpr bool kToDevice = kSystemOf<Out> == System::kDevice;
  const auto count = static_cast<std::size_t>(std::distance(first, last));
  if constexpr (kSystemOf<In> == System::kDevice && !kToDevice) {
    return copies::ToHost(Raw(first), count, out);
  } else if constexpr (kSystemOf<In> == System::kHost && kToDevice) {
    copies::ToDevice(first, last, Raw(out), count);
    return out + count;
  } else if constexpr (kToDevice) {
    return thrust::copy(policies::DevicePolicy(), first, last, out);
  } else {
    return std::copy(first, last, out);
  }
}

template <policies::Policy P, class In, class Out>
CUDASIM_INLINE Out copy_n(P policy, In first, std::size_t count, Out out) {
  return thrust::copy(policy, first, first + count, out);
}
template <class In, class Out>
requires(!policies::Policy<In>) CUDASIM_INLINE Out copy_n(In first, std::size_t count, Out out) {
  return thrust::copy(first, std::next(first, count), out);
}

template <policies::Policy P, class In, class Out, class Selects>
CUDASIM_INLINE Out copy_if(P policy, In first, In last, Out out, Selects selects) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first), to = Raw(out)]() mutable CUDASIM_INLINE_LAMBDA {
    const auto selects_at = [&](std::size_t i) CUDASIM_INLINE_LAMBDA { return selects(in[i]); };
    return cudasim::library::Select(in, count, to, selects_at);
  };
  return out + policies::Compute<"thrust::copy_if">(policy, body);
}
CUDASIM_WITHOUT_POLICY(copy_if)

}  // namespace thrust
