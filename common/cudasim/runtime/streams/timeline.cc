#include "common/cudasim/runtime/streams/timeline.h"

#include <atomic>
#include <optional>
#include <utility>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/streams/stream.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

// A program of its own, without calls that begin and end, may run for long.
constexpr std::size_t kMaxRecorded = std::size_t{1} << 20;

// The recorded operations of a slot; their numbers in the stream follow each other.
struct Slot {
  std::uint64_t first = 0;  // the number of the first one
  std::vector<std::uint32_t> operations;
};

// Guarded by the lock of the streams.
struct Recorder {
  bool active = true;
  Trace trace;
  std::vector<Slot> slots;
  std::optional<Layout> layout;  // of the trace as it is
  bool in_submission = false;
  std::optional<std::size_t> submission;  // the step that submits all of it
};

// Never destroyed: the profile is written at the very end of the process.
Recorder& TheRecorder() {
  static auto* const recorder = new Recorder;
  return *recorder;
}

constexpr std::uint64_t kNoOperation = ~std::uint64_t{0};
std::atomic<std::uint64_t> page_faults{0};
std::atomic<unsigned> host_threads{0};
thread_local const unsigned this_thread = host_threads++;
thread_local std::uint64_t running = kNoOperation;  // the index of the operation whose work runs

thread_local HostWork host_work;

Nanoseconds TakeHostWork() {
  const HostWork taken = std::exchange(host_work, HostWork{});
  return machine::Times(taken.bytes, machine::kHostPicoseconds) +
         machine::PageFaults(taken.page_faults);
}

bool Records(const Recorder& recorder) {
  return kInstrumented && !kCheckMode && recorder.active &&
         recorder.trace.operations.size() < kMaxRecorded &&
         recorder.trace.steps.size() < 4 * kMaxRecorded;
}

void AddStep(Recorder& recorder, HostStep::Kind kind, Nanoseconds duration,
             std::vector<std::uint32_t> operations) {
  recorder.layout.reset();
  recorder.trace.steps.push_back({kind, this_thread, duration, std::move(operations)});
}

void AddHostWork(Recorder& recorder) {
  const Nanoseconds duration = TakeHostWork();
  if (duration > 0) AddStep(recorder, HostStep::Kind::kWorks, duration, {});
}

// For each slot the last recorded operation that the clock knows to be over.
std::vector<std::uint32_t> KnownTo(const Recorder& recorder, const StreamClock& clock) {
  std::vector<std::uint32_t> known;
  for (unsigned i = 0; i < recorder.slots.size(); ++i) {
    const Slot& slot = recorder.slots[i];
    if (slot.operations.empty() || clock[i] < slot.first) continue;
    const std::uint64_t last = std::min(clock[i] - slot.first, slot.operations.size() - 1);
    known.push_back(slot.operations[last]);
  }
  return known;
}

TimedOperation* Running() {
  Recorder& recorder = TheRecorder();
  if (running >= recorder.trace.operations.size()) return nullptr;
  return &recorder.trace.operations[running];
}

// The first charge includes the time to start.
void Charge(Engine engine, Nanoseconds start, Nanoseconds duration) {
  TimedOperation* const operation = Running();
  if (operation == nullptr) return;
  if (operation->engine == Engine::kNone) operation->duration = start;
  operation->engine = engine;
  operation->duration += duration;
}

}  // namespace

void BeginTimeline() {
  Recorder& recorder = TheRecorder();
  recorder = {};
  host_work = {};
  page_faults = 0;
}

void EndTimeline() {
  Recorder& recorder = TheRecorder();
  if (Records(recorder)) AddHostWork(recorder);
  recorder.active = false;
}

const Trace& RecordedTrace() { return TheRecorder().trace; }

const Layout& TimelineOfCall() {
  Recorder& recorder = TheRecorder();
  if (!recorder.layout) recorder.layout = LayOut(recorder.trace);
  return *recorder.layout;
}

std::uint64_t PageFaults() { return page_faults; }

void RecordSubmit(const StreamOperation& operation) {
  Recorder& recorder = TheRecorder();
  if (!Records(recorder)) return;
  AddHostWork(recorder);
  const auto index = static_cast<std::uint32_t>(recorder.trace.operations.size());
  recorder.trace.operations.push_back(
      {Engine::kNone, 0, operation.slot, KnownTo(recorder, operation.clock)});
  if (operation.slot >= recorder.slots.size()) recorder.slots.resize(operation.slot + 1);
  Slot& slot = recorder.slots[operation.slot];
  if (slot.operations.empty()) slot.first = operation.count;
  slot.operations.push_back(index);
  if (recorder.submission) {
    recorder.layout.reset();
    recorder.trace.steps[*recorder.submission].operations.push_back(index);
    return;
  }
  AddStep(recorder, HostStep::Kind::kSubmits, 0, {index});
  if (recorder.in_submission) recorder.submission = recorder.trace.steps.size() - 1;
}

void BeginSubmission() { TheRecorder().in_submission = true; }

void EndSubmission() {
  TheRecorder().in_submission = false;
  TheRecorder().submission.reset();
}

void RecordWait(const StreamClock& clock) {
  Recorder& recorder = TheRecorder();
  if (!Records(recorder)) return;
  AddHostWork(recorder);
  std::vector<std::uint32_t> known = KnownTo(recorder, clock);
  if (!known.empty()) AddStep(recorder, HostStep::Kind::kWaits, 0, std::move(known));
}

RunningOperation::RunningOperation(const StreamOperation& operation)
    : outer_(std::exchange(running, kNoOperation)),
      outer_work_(std::exchange(host_work, HostWork{})) {
  const Recorder& recorder = TheRecorder();
  if (!recorder.active || operation.slot >= recorder.slots.size()) return;
  const Slot& slot = recorder.slots[operation.slot];
  if (slot.operations.empty() || operation.count < slot.first) return;
  const std::uint64_t number = operation.count - slot.first;
  if (number < slot.operations.size()) running = slot.operations[number];
}

RunningOperation::~RunningOperation() {
  if (running != kNoOperation) TheRecorder().layout.reset();
  running = outer_;
  host_work = outer_work_;
}

std::size_t RunningIndex() { return running; }

void ChargeCopy(CopyKind kind, bool pageable, std::size_t bytes) {
  if (running == kNoOperation) return;
  const Nanoseconds on_bus =
      machine::Times(bytes, pageable ? machine::kHostPicoseconds : machine::kBusPicoseconds);
  switch (kind) {
    case CopyKind::kIn:
      return Charge(Engine::kCopyIn, machine::kStart, on_bus);
    case CopyKind::kOut:
      return Charge(Engine::kCopyOut, machine::kStart, on_bus);
    case CopyKind::kOnDevice:
      return Charge(Engine::kKernels, machine::kStart,
                    machine::Times(bytes, machine::kDevicePicoseconds));
    case CopyKind::kOnHost:
      return Charge(Engine::kHostFunctions, machine::kStart,
                    machine::Times(bytes, machine::kHostPicoseconds));
  }
}

void ChargeFill(std::size_t bytes) {
  Charge(Engine::kKernels, machine::kStart, machine::Times(bytes, machine::kDevicePicoseconds));
}

void ChargeKernel(std::uint64_t work, std::uint64_t span, std::uint64_t bus_bytes,
                  std::uint64_t faults) {
  page_faults += faults;
  Charge(Engine::kKernels, 0, machine::Kernel(work, span, bus_bytes) + machine::PageFaults(faults));
}

void ChargePrefetch(bool to_device, std::uint64_t pages) {
  Charge(to_device ? Engine::kCopyIn : Engine::kCopyOut, machine::kStart,
         machine::Times(pages * machine::kPageBytes, machine::kBusPicoseconds));
}

void ChargeHostFunction() {
  Charge(Engine::kHostFunctions, machine::kHostFunction, TakeHostWork());
}

void ChargeHostAccess(std::size_t bytes, bool page_fault) {
  host_work.bytes += bytes;
  if (!page_fault) return;
  ++host_work.page_faults;
  ++page_faults;
}

}  // namespace cudasim
