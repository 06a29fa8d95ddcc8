// The C interfaces to asynchronous copies and to barriers in shared memory.
#pragma once

#include "cudasim/async_copies.h"
#include "cudasim/warp.h"

using __mbarrier_t = ::std::uint64_t;
using __mbarrier_token_t = ::std::uint64_t;

CUDASIM_INLINE void __pipeline_memcpy_async(void* to, const void* from, ::std::size_t bytes,
                                            ::std::size_t zeros = 0, CUDASIM_HERE) {
  ::cudasim::CopyOnePiece(to, from, bytes, zeros, file, line);
}
CUDASIM_INLINE void __pipeline_commit() { ::cudasim::CommitCopies(); }
CUDASIM_INLINE void __pipeline_wait_prior(::std::size_t but) {
  ::cudasim::WaitForCopies(static_cast<unsigned>(but));
}
CUDASIM_INLINE void __pipeline_arrive_on(__mbarrier_t* barrier) { ::cudasim::BindCopies(barrier); }

namespace cudasim {
constexpr unsigned kMbarrierRelease = kReleases | kBlockScope;
constexpr unsigned kMbarrierAcquire = kAcquires | kBlockScope | kOfPhase;
}  // namespace cudasim

CUDASIM_INLINE unsigned __mbarrier_maximum_count() { return ::cudasim::kMaxArrivals; }
CUDASIM_INLINE void __mbarrier_init(__mbarrier_t* barrier, unsigned expected, CUDASIM_HERE) {
  ::cudasim::InitPhases(barrier, expected, file, line);
}
CUDASIM_INLINE void __mbarrier_inval(__mbarrier_t* barrier) { *barrier = 0; }
CUDASIM_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier, CUDASIM_HERE) {
  return ::cudasim::Arrive(barrier, 1, ::cudasim::kMbarrierRelease, file, line);
}
CUDASIM_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier, CUDASIM_HERE) {
  ::cudasim::OrderedUpdate<::cudasim::DropOp>(barrier, ::cudasim::PhaseState{1},
                                              ::cudasim::kMbarrierRelease);
  return ::cudasim::Arrive(barrier, 1, ::cudasim::kMbarrierRelease, file, line);
}
CUDASIM_INLINE unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return ::cudasim::LackingArrivals(token);
}
CUDASIM_INLINE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return ::cudasim::Test(barrier, ::cudasim::kMbarrierAcquire,
                         ::cudasim::PhaseIsOver{::cudasim::PhaseOf(token)});
}
CUDASIM_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return ::cudasim::Test(barrier, ::cudasim::kMbarrierAcquire, ::cudasim::ParityIsOver{parity});
}
CUDASIM_INLINE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                        ::std::uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
CUDASIM_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity,
                                               ::std::uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
