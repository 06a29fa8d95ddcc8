// Streams: queues of work, and the order in which it runs.
//
// Eager (plain mode's default): work runs when it is asked for.  Lazy (the default of check and
// profile mode): it runs as late as the program's synchronisation allows, and a stream's work only
// as far as it is waited for, so that a missing wait shows.  CUDASIM_STREAMS=eager or lazy chooses.
//
// The legacy default stream waits for all blocking streams and they for it; streams made with
// cudaStreamNonBlocking take no part.  When work is submitted, a vector clock records which work is
// ordered before it; check mode compares the clocks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/stream_clock.h"

namespace cudasim {

// Where in the source work was submitted.
struct Origin {
  const char* name;              // of the kernel or of the API function
  Site launch{};                 // of a kernel
  const void* caller = nullptr;  // of an API function: return address

  // "kernel VecAdd launched at lab.cu:12" or "cudaMemcpyAsync at lab.cu:12".
  std::string ToString() const;
};

enum class MemoryUse { kReads, kWrites, kAllocates, kFrees };

struct MemoryRange {
  const char* begin;
  std::size_t bytes;
  MemoryUse use;
};

// One piece of work as check mode remembers it.
struct StreamOperation {
  Origin origin;
  std::vector<MemoryRange> ranges;  // what it touches, if that is known before it runs
  std::uint64_t sequence = 0;       // in the order of submission
  std::uint64_t graph_launch = 0;   // the launch of a graph to which it belongs; 0: to none
  unsigned slot = 0;                // of its stream
  std::uint64_t count = 0;          // in that stream, from 1
  StreamClock clock;                // what is over before it begins, itself included
  // Check mode's epochs of its kernel, if it has run.
  std::uint32_t first_epoch = 0;
  std::uint32_t last_epoch = 0;
  LogicalTime submitted = 0;  // the host thread's time

  bool Precedes(const StreamClock& other) const { return other[slot] >= count; }
};

// What cudaEventRecord marked; the event may be recorded again meanwhile.
struct EventPoint {
  CUstream_st* stream = nullptr;
  std::uint64_t sequence = 0;
  StreamClock clock;
  LogicalTime time_over = 0;  // of all that comes before it, once it is done
  bool done = false;
  std::chrono::steady_clock::time_point time;
};

struct Work {
  std::shared_ptr<StreamOperation> operation;
  std::function<void()> run;
  std::shared_ptr<EventPoint> after;  // must be done first; possibly of another stream
};

struct Capture;  // of work into a graph: see common/cudasim/runtime/graphs/capture.h

}  // namespace cudasim

struct CUstream_st {
  unsigned slot = 0;
  unsigned flags = 0;
  int priority = 0;
  bool destroyed = false;  // lives on until its work is done
  bool is_lane = false;    // runs a branch of an executable graph; the program does not know it
  int queries = 0;         // since its work last ran
  std::deque<cudasim::Work> queue;
  cudasim::StreamClock clock;          // after all that was submitted
  cudasim::LogicalTime time_over = 0;  // of all that has run
  // While it takes part in a capture: on what the next node depends.
  std::shared_ptr<cudasim::Capture> capture;
  std::vector<cudaGraphNode_t> captured_last;

  bool blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

namespace cudasim {

// All functions below are thread-safe.

// Streams that exist, the default stream aside.
std::size_t LiveStreams();

// True if work may be deferred, or if check mode must track it: pass it to Submit().  False: run it
// at once.
bool StreamsAreTracked();

// The stream of a handle: null is the default stream.  Null if there is no such stream.
CUstream_st* FindStream(cudaStream_t handle);

CUstream_st* CreateStream(unsigned flags, int priority);

// A stream that runs a branch of an executable graph.
CUstream_st* CreateLane();

// While one lives, the calling thread submits a launch of a graph: what it submits belongs to that
// launch, and takes the host as long as one operation.  The streams stay locked.
class GraphLaunch {
 public:
  GraphLaunch();
  ~GraphLaunch();
  GraphLaunch(const GraphLaunch&) = delete;
  GraphLaunch& operator=(const GraphLaunch&) = delete;
};

// The handle becomes invalid; queued work still runs.
void DestroyStream(CUstream_st* stream);

// Queues `run` in the stream, or runs it in eager mode.  Work that `after` marks runs first.
void Submit(CUstream_st* stream, const Origin& origin, std::vector<MemoryRange> ranges,
            std::function<void()> run, std::shared_ptr<EventPoint> after = nullptr);

// The host can go on only after the stream's work so far, and learns nothing by that: its clock
// stays as it is.  Only the timeline knows.
void HostIsBlocked(CUstream_st* stream);

// The running work is a host function that has returned: it may have told the host, say by a flag,
// that it and all work before it are over.
void TellHost();

// Marks the current end of the stream, for an API function.
std::shared_ptr<EventPoint> RecordPoint(CUstream_st* stream, const Origin& origin);

// Wait: run the work that has not run yet.  The host's clock then includes it.
void SynchroniseStream(CUstream_st* stream);
void SynchronisePoint(const std::shared_ptr<EventPoint>& point);
void SynchroniseDevice();

// What every blocking call on the default stream waits for.
void SynchroniseDefaultStream();

// True if all work is done.  Repeated queries run queued work.
bool QueryStream(CUstream_st* stream);
bool QueryPoint(const std::shared_ptr<EventPoint>& point);

}  // namespace cudasim
