// What instrumented code (check and profile mode) shares with its runtime.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cudasim/vector_types.h"

// For functions of the simulator, whose accesses are not to be instrumented.
#ifdef CUDASIM_CHECK
#define CUDASIM_UNSEEN inline __attribute__((noinline)) CUDASIM_NOT_INSTRUMENTED
#else
#define CUDASIM_UNSEEN CUDASIM_INLINE
#endif

// Initialises a variable of the simulator before any of the program, whose initialisers may launch
// kernels.
#define CUDASIM_BEFORE_THE_PROGRAM __attribute__((init_priority(101)))

extern "C" {
// Reports a misuse of `kind` by the running thread and ends the launch.
[[noreturn]] void cudasim_misuse(const char* kind, const char* file, int line, const char* what,
                                 const char* advice);
}

namespace cudasim {

// The kinds of atomic operation that differ in cost on a GPU.
enum class AtomicKind : unsigned char {
  kAdd,        // integers, subtraction too
  kIncrement,  // adds 1
  kFloatAdd,   // float and double
  kExchange,
  kCompareAndSwap,
  kCombine,  // min, max, and, or, xor
  kOther,    // inc, dec, nand
  kPhase,    // of a barrier in memory; no counter counts it
};

// How an atomic access orders others; joined with |.  0: relaxed, at least of device scope.
constexpr unsigned kBlockScope = 1;
constexpr unsigned kAcquires = 2;
constexpr unsigned kReleases = 4;
constexpr unsigned kCounts = 8;     // adds or subtracts 1, as a count of arrivals does
constexpr unsigned kCombines = 16;  // neither an exchange nor a compare-and-swap
constexpr unsigned kOfPhase = 32;   // waits for the phase of a barrier
constexpr unsigned kLooks = 64;     // adds 0: a common way to read

// Tell the instrumented runtime of one atomic access before it happens; `pc` is the return address
// in the caller, `expected` what a compare-and-swap compares with.  An operation that programs spin
// on lets other threads run now and then.
void CheckAtomic(void* address, unsigned bytes, const void* pc, AtomicKind kind, unsigned order = 0,
                 const void* expected = nullptr);
void CheckAtomicLoad(const void* address, unsigned bytes, const void* pc, unsigned order);
void CheckAtomicStore(void* address, unsigned bytes, const void* pc, unsigned order);
// The read of a wait for memory, which no counter counts, and a poll that reads the same again: now
// and then it lets others run.
void CheckWait(const void* address, unsigned bytes, const void* pc, unsigned order);
void CheckPoll(const void* address, unsigned bytes, const void* pc);

// The read that follows goes through the read-only cache.
void CheckReadOnly(const void* address, unsigned bytes);

// Asynchronous copies; see async_copies.h.  CheckCopy() copies, and notes that the copy arrives
// when the phase of `barrier` is complete; with null, when the running thread waits for the batch
// that it commits next.
void CheckCopy(void* to, const void* from, std::size_t bytes, const void* barrier, const void* pc);

#if defined(CUDASIM_CHECK) || defined(CUDASIM_RUNTIME)
// The running thread's copies since its last commit become a batch.
void CommitCopies();
// Waits for the running thread's batches but the last `but`.
void WaitForCopies(unsigned but);
// The running thread's copies so far arrive when the phase of the barrier is complete.
void BindCopies(const void* barrier);
// The phase of the barrier is complete.
void CompletePhase(const void* barrier);
#else
CUDASIM_INLINE void CommitCopies() {}
CUDASIM_INLINE void WaitForCopies(unsigned) {}
CUDASIM_INLINE void BindCopies(const void*) {}
CUDASIM_INLINE void CompletePhase(const void*) {}
#endif

// The rewriter puts a call of it after an atomic operation whose result is not used.
#if defined(CUDASIM_CHECK) || defined(CUDASIM_RUNTIME)
void ResultUnused();
#else
CUDASIM_INLINE void ResultUnused() {}
#endif

// Remembers that an argument of the next launch from this host thread has the first of `names` in
// its kernel, for reports, and moves `names` to the next one.  Null: not a pointer.
void NameArgument(const char*& names, const void* pointer);

template <class T>
CUDASIM_INLINE const void* PointerIn(const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    return (const void*)value;  // NOLINT: from a function's address or a volatile one
  } else if constexpr (requires { static_cast<const void*>(value.data()); }) {
    return value.data();
  } else {
    return nullptr;
  }
}

// The rewriter puts a call of it at the start of a kernel: `names` is "in,out,n".
template <class... T>
CUDASIM_INLINE void NameArguments([[maybe_unused]] const char* names,
                                  [[maybe_unused]] const T&... values) {
#ifdef CUDASIM_CHECK
  (NameArgument(names, PointerIn(values)), ...);
#endif
}

}  // namespace cudasim
