// GPUVerify's annotations, for running a kernel: an assertion is checked, the rest says nothing
// about one run. HAS_GHOSTS: some assertion speaks of other threads, or of accesses made so far.
#pragma once

// In GPUVerify's header, not in CUDA's.
namespace cooperative_groups {
template <class Group>
__device__ void synchronize(const Group& group) {
  group.sync();
}
}  // namespace cooperative_groups

#define __requires(...) static_cast<void>(0)
#define __requires_fresh_array(...) static_cast<void>(0)
#define __ensures(...) static_cast<void>(0)
#define __assume(...) static_cast<void>(0)
#define __invariant(...) static_cast<void>(0)
#define __global_invariant(...) static_cast<void>(0)
#define __implies(a, b) (!(a) || (b))
#define __enabled() true
#define __all(...) (__VA_ARGS__)

#ifdef HAS_GHOSTS
#define __assert(...) static_cast<void>(0)
#else
#define __assert(...) assert(__VA_ARGS__)
#endif
