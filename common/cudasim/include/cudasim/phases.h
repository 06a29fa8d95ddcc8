// Barriers with phases, as libcu++ and the mbarrier instructions of the PTX ISA have them, and
// other waits for a value in memory.
#pragma once

#include <cstdint>

#include "cudasim/ordered_atomics.h"

namespace cudasim {

// A barrier's state in one word: the arrivals that its phase still lacks, those that each phase
// takes, and the number of the phase.
using PhaseState = std::uint64_t;

constexpr unsigned kMaxArrivals = (1u << 20) - 1;

constexpr unsigned LackingArrivals(PhaseState state) {
  return static_cast<unsigned>(state) & kMaxArrivals;
}
constexpr unsigned ExpectedArrivals(PhaseState state) {
  return static_cast<unsigned>(state >> 20) & kMaxArrivals;
}
constexpr unsigned PhaseOf(PhaseState state) { return static_cast<unsigned>(state >> 40); }
constexpr PhaseState MakePhase(unsigned phase, unsigned expected, unsigned lacking) {
  return static_cast<PhaseState>(phase & 0xFFFFFF) << 40 | static_cast<PhaseState>(expected) << 20 |
         lacking;
}
constexpr PhaseState NextPhase(PhaseState state) {
  const unsigned expected = ExpectedArrivals(state);
  return MakePhase(PhaseOf(state) + 1, expected, expected);
}

// `value` arrivals.  The last one of a phase begins the next.
struct ArriveOp {
  static constexpr AtomicKind kKind = AtomicKind::kPhase;
  static CUDASIM_INLINE PhaseState Apply(PhaseState old, PhaseState value) {
    return LackingArrivals(old) == value ? NextPhase(old) : old - value;
  }
};

// As ArriveOp, but the last arrival leaves it to NextPhaseOp to begin the next phase.
struct ArriveOnlyOp {
  static constexpr AtomicKind kKind = AtomicKind::kPhase;
  static CUDASIM_INLINE PhaseState Apply(PhaseState old, PhaseState value) { return old - value; }
};
struct NextPhaseOp {
  static constexpr AtomicKind kKind = AtomicKind::kPhase;
  static CUDASIM_INLINE PhaseState Apply(PhaseState old, PhaseState) { return NextPhase(old); }
};

// `value` arrivals fewer are expected in each later phase.
struct DropOp {
  static constexpr AtomicKind kKind = AtomicKind::kPhase;
  static CUDASIM_INLINE PhaseState Apply(PhaseState old, PhaseState value) {
    return old - (value << 20);
  }
};

// What a wait is for.
struct PhaseIsOver {
  unsigned phase;
  CUDASIM_INLINE bool operator()(PhaseState state) const { return PhaseOf(state) != phase; }
};
struct ParityIsOver {
  bool parity;
  CUDASIM_INLINE bool operator()(PhaseState state) const {
    return (PhaseOf(state) & 1) != (parity ? 1 : 0);
  }
};
struct IsZero {
  template <class T>
  CUDASIM_INLINE bool operator()(T value) const {
    return value == 0;
  }
};
struct IsPositive {
  template <class T>
  CUDASIM_INLINE bool operator()(T value) const {
    return value > 0;
  }
};

#ifdef CUDASIM_CHECK

// Returns the value that satisfies `done`, once it is there.
template <class T, class Done>
CUDASIM_UNSEEN T WaitUntil(const T* address, unsigned order, Done done) {
  const void* const pc = __builtin_return_address(0);
  for (;;) {
    CheckWait(address, sizeof(T), pc, order);
    const T value = LoadUnseen(address);
    if (done(value)) return value;
    do CheckPoll(address, sizeof(T), pc);
    while (!done(LoadUnseen(address)));
  }
}

template <class T>
CUDASIM_UNSEEN T LoadToTest(const T* address, unsigned order) {
  CheckWait(address, sizeof(T), __builtin_return_address(0), order);
  return LoadUnseen(address);
}

#else

template <class T, class Done>
CUDASIM_INLINE T WaitUntil(const T* address, unsigned order, Done done) {
  for (;;) {
    const T value = AtomicLoad(address, order);
    if (done(value)) return value;
    cudasim_pause();
  }
}

template <class T>
CUDASIM_INLINE T LoadToTest(const T* address, unsigned order) {
  return AtomicLoad(address, order);
}

#endif

// One test of `done`; where it fails, other threads run.
template <class T, class Done>
CUDASIM_INLINE bool Test(const T* address, unsigned order, Done done) {
  if (done(LoadToTest(address, order))) return true;
  cudasim_pause();
  return false;
}

CUDASIM_INLINE void InitPhases(PhaseState* state, long long expected, const char* file, int line) {
  if (expected < 1 || expected > kMaxArrivals) {
    cudasim_misuse("invalid_barrier", file, line,
                   "a barrier is initialised with a count of arrivals that is not possible",
                   "each phase takes 1 to 1048575 arrivals");
  }
  const auto count = static_cast<unsigned>(expected);
  *state = MakePhase(0, count, count);
}

// Returns the state before.
template <class Op = ArriveOp>
CUDASIM_INLINE PhaseState Arrive(PhaseState* state, long long count, unsigned order,
                                 const char* file, int line) {
  const PhaseState value = count < 1 || count > kMaxArrivals ? 0 : static_cast<PhaseState>(count);
  const PhaseState old = OrderedUpdate<Op>(state, value, order);
  const unsigned lacking = LackingArrivals(old);
  if (value == 0 || value > lacking) {
    cudasim_misuse("invalid_barrier", file, line,
                   "more threads arrive at a barrier than its phase expects",
                   "the count that initialised it must be that of the arrivals in a phase");
  }
  if (value == lacking) CompletePhase(state);
  return old;
}

}  // namespace cudasim
