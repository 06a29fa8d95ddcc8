// The timeline of a call in profile mode: its operations, recorded as they are submitted and run,
// and laid out on the engines of machine.h when somebody asks.
//
// What an operation costs is known when it has run.  What it waits for is known from its vector
// clock.  In the other modes, and where profile mode runs eagerly, nothing is recorded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cudasim/runtime/streams/layout.h"

namespace cudasim {

class StreamClock;
struct StreamOperation;

// A call begins: forgets all that was recorded.  It ends: records nothing until the next begins.
// Like what follows, the first two are called by one thread while no other uses the runtime.
void BeginTimeline();
void EndTimeline();

// The recorded operations and where they lie.
const Trace& RecordedTrace();
const Layout& TimelineOfCall();  // valid until something else is recorded

// Accesses to managed memory for which a page moved on demand.
std::uint64_t PageFaults();

// The calling host thread submits the operation, or waits until all that the clock knows is over.
// With the streams locked.
void RecordSubmit(const StreamOperation& operation);
void RecordWait(const StreamClock& clock);

// Between the two, with the streams locked: what the calling host thread submits takes it as long
// as one operation.
void BeginSubmission();
void EndSubmission();

// What a thread, or the host function that it runs, has done since its last step.
struct HostWork {
  std::uint64_t bytes = 0;  // of pinned or managed memory
  std::uint64_t page_faults = 0;
};

// While one lives, the work of the operation runs: what is charged meanwhile belongs to it.  With
// the streams locked.
class RunningOperation {
 public:
  explicit RunningOperation(const StreamOperation& operation);
  ~RunningOperation();
  RunningOperation(const RunningOperation&) = delete;
  RunningOperation& operator=(const RunningOperation&) = delete;

 private:
  const std::uint64_t outer_;
  const HostWork outer_work_;
};

// The index of the calling thread's running operation in the trace; that of none if none runs.
std::size_t RunningIndex();

// The running operation does this.  Without effect where none runs.
enum class CopyKind : std::uint8_t { kIn, kOut, kOnDevice, kOnHost };
void ChargeCopy(CopyKind kind, bool pageable, std::size_t bytes);
void ChargeFill(std::size_t bytes);
void ChargeKernel(std::uint64_t work, std::uint64_t span, std::uint64_t bus_bytes,
                  std::uint64_t page_faults);
void ChargePrefetch(bool to_device, std::uint64_t pages);
void ChargeHostFunction();  // when it has returned

// The calling thread, or the host function that it runs, accesses pinned or managed memory.
void ChargeHostAccess(std::size_t bytes, bool page_fault);

}  // namespace cudasim
