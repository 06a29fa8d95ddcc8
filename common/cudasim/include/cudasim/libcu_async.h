// cuda::memcpy_async, with a barrier or a pipeline.
#pragma once

#include "cudasim/async_copies.h"
#include "cudasim/libcu_barrier.h"

namespace cuda {

template <thread_scope Scope>
class pipeline;

}  // namespace cuda

namespace cudasim {

// What completes the copies that are bound to it.
template <::cuda::thread_scope Scope, class Completion>
CUDASIM_INLINE const void* CompletionOf(const ::cuda::barrier<Scope, Completion>& barrier) {
  return barrier.State();
}
template <::cuda::thread_scope Scope>
CUDASIM_INLINE const void* CompletionOf(const ::cuda::pipeline<Scope>& pipeline) {
  return pipeline.CopyBarrier();
}

}  // namespace cudasim

namespace cuda {

// The calling thread copies alone.
template <class Synchroniser>
requires requires(Synchroniser& s) { ::cudasim::CompletionOf(s); }
CUDASIM_INLINE void memcpy_async(void* to, const void* from, ::std::size_t bytes,
                                 Synchroniser& synchroniser) {
  ::cudasim::CopyAsync(to, from, bytes, ::cudasim::CompletionOf(synchroniser));
}

// All threads of the group copy; each thread makes the call.
template <class Group, class Synchroniser>
requires requires(const Group& g, Synchroniser& s) {
  g.thread_rank();
  ::cudasim::CompletionOf(s);
}
CUDASIM_INLINE void memcpy_async(const Group& group, void* to, const void* from,
                                 ::std::size_t bytes, Synchroniser& synchroniser) {
  ::cudasim::CopyShare(to, from, bytes, group.thread_rank(), group.size(),
                       ::cudasim::CompletionOf(synchroniser));
}

}  // namespace cuda
