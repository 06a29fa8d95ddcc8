// Lays out a program's operations on the engines of machine.h.
//
// An engine runs one operation at a time, and of those that are ready the one that became ready
// first.  An operation is ready when the host has submitted it and everything that CUDA orders
// before it is over.  So it is list scheduling in the sense of Graham (Bounds on Multiprocessing
// Timing Anomalies, 1969), with a machine for each kind of operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "common/cudasim/runtime/streams/machine.h"

namespace cudasim {

// kNone: markers, such as events, which take no time.
enum class Engine : std::uint8_t { kNone, kHostFunctions, kCopyIn, kKernels, kCopyOut };
constexpr std::size_t kEngines = 5;

struct TimedOperation {
  Engine engine = Engine::kNone;
  Nanoseconds duration = 0;
  unsigned stream = 0;               // its slot; 0: the default stream
  std::vector<std::uint32_t> after;  // earlier operations that must be over
};

// One step of a host thread.
struct HostStep {
  enum class Kind : std::uint8_t { kWorks, kSubmits, kWaits };
  Kind kind = Kind::kWorks;
  unsigned thread = 0;
  Nanoseconds duration = 0;               // kWorks
  std::vector<std::uint32_t> operations;  // that it submits in one call, or waits for
};

// The steps of each thread in their order.  Each operation is submitted by exactly one step.
struct Trace {
  std::vector<TimedOperation> operations;
  std::vector<HostStep> steps;
};

struct Interval {
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
};

struct Layout {
  std::vector<Interval> operations;  // by the index of the operation
  std::vector<Interval> host_work;
  std::vector<Interval> host_waits;  // in which a thread had to wait
  Nanoseconds makespan = 0;          // from 0 to the end of everything
  Nanoseconds busy = 0;              // sum over all operations and the host's work
  std::set<unsigned> streams;        // of the operations that an engine ran
};

// Each host thread begins at time 0.  Takes time O((n + d) log n) for n operations and steps with
// d dependences.
Layout LayOut(const Trace& trace);

}  // namespace cudasim
