#include "common/cudasim/check/stream_order.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/detector.h"
#include "common/cudasim/check/past_access.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {

namespace {

constexpr std::size_t kMaxHostNotes = std::size_t{1} << 20;  // words
constexpr char kWaitFirst[] =
    "nothing waits for it before the host goes on: call cudaStreamSynchronize, "
    "cudaEventSynchronize or cudaDeviceSynchronize";
constexpr char kInHostFunction[] =
    "this is in a host function: launch it behind that work, and give each its own argument, "
    "unchanged since the launch";
constexpr char kOrderStreams[] =
    "no event orders the two streams: call cudaEventRecord after the first, cudaStreamWaitEvent "
    "before the second; or give each stream its own buffer";
constexpr char kDefaultStream[] =
    "one of them has no stream: <<<blocks, threads, 0, stream>>> gives a launch one";

// The host's last accesses to a word while work was pending: the sequence number of the newest work
// at that time, and the code addresses.
struct HostNote {
  std::uint64_t read_after = 0;
  std::uint64_t written_after = 0;
  std::uint64_t polled_after = 0;  // read as a flag
  const void* read_pc = nullptr;
  const void* write_pc = nullptr;
};

std::unordered_map<std::uintptr_t, HostNote>& HostNotes() {
  static auto* const notes = new std::unordered_map<std::uintptr_t, HostNote>;
  return *notes;
}

std::uint64_t last_noted = 0;  // the largest sequence number of all notes

const char* ReadOrWrite(const Access& access) { return access.writes() ? "write" : "read"; }

bool Overlap(const MemoryRange& a, const char* begin, std::size_t bytes) {
  return a.begin < begin + bytes && begin < a.begin + a.bytes;
}

// The range of the operation that conflicts with an access; null if there is none.
const MemoryRange* FindConflict(const StreamOperation& operation, const char* begin,
                                std::size_t bytes, bool writes) {
  for (const MemoryRange& range : operation.ranges) {
    if (Overlap(range, begin, bytes) && (writes || range.use != MemoryUse::kReads)) {
      return &range;
    }
  }
  return nullptr;
}

const char* Does(const MemoryRange& range) {
  switch (range.use) {
    case MemoryUse::kReads:
      return "reads";
    case MemoryUse::kWrites:
      return "writes";
    case MemoryUse::kAllocates:
      return "allocates";
    case MemoryUse::kFrees:
      return "frees";
  }
  return "";
}

// The details, and what could order the two.
std::vector<std::string> WithAdvice(std::vector<std::string> details, const StreamOperation& one,
                                    const StreamOperation& other) {
  if (one.slot == 0 || other.slot == 0) details.push_back(kDefaultStream);
  details.push_back(kOrderStreams);
  return details;
}

// The device or pinned memory that holds the range; nothing where no allocation does.
std::vector<std::string> MemoryOf(const MemoryRange& range) {
  if (!DeviceHeap::Contains(range.begin)) return {};
  const Allocation* const near = DeviceHeap::Get().FindNear(range.begin);
  if (near == nullptr) return {};
  return {"memory: " + Describe(*near)};
}

bool IsUnorderedKernel(const StreamOperation& operation, const StreamClock& known) {
  return operation.last_epoch != 0 && !operation.Precedes(known);
}

// Compares a copy, fill, allocation or free with the finished kernels of other streams.
void CheckKernelsBefore(const Streams& streams, const StreamOperation& operation) {
  const bool any =
      std::any_of(streams.remembered.begin(), streams.remembered.end(),
                  [&](const auto& other) { return IsUnorderedKernel(*other, operation.clock); });
  if (!any) return;
  for (const MemoryRange& range : operation.ranges) {
    const PastAccess past = FindPast(range, operation.clock);
    if (past.operation == nullptr) continue;
    Report({"missing_synchronisation",
            operation.origin.ToString() + " " + Does(range) + " memory that kernel " +
                past.operation->origin.name + " " + DidAt(past.cell) + " in another stream",
            WithAdvice({"the other: " + past.operation->origin.ToString()}, operation,
                       *past.operation)});
  }
}

void ReportStreams(const Access& access, const StreamOperation& other, ShadowCell cell) {
  Report({"missing_synchronisation",
          DescribeKernel() + ", " + Locate(access.pc).ToString() + ": " + ReadOrWrite(access) +
              " of memory that kernel " + other.origin.name + " " + DidAt(cell) +
              " in another stream",
          WithAdvice(
              {DescribeCurrentThread() + ": " + ReadOrWrite(access) + " of " + Bytes(access.bytes),
               "memory: " + DescribeMemory(access), DescribeLaunch(),
               "the other: " + other.origin.ToString()},
              *Streams::Get().running, other)});
}

void CheckCopies(const Access& access) {
  const Streams& streams = Streams::Get();
  const StreamOperation& self = *streams.running;
  for (const auto& other : streams.remembered) {
    if (other->slot == self.slot || other->ranges.empty()) continue;
    if (other->Precedes(self.clock) || self.Precedes(other->clock)) continue;
    const MemoryRange* const range =
        FindConflict(*other, access.address, access.bytes, access.writes());
    if (range == nullptr) continue;
    Report({"missing_synchronisation",
            DescribeKernel() + ", " + Locate(access.pc).ToString() + ": " + ReadOrWrite(access) +
                " of memory that " + other->origin.ToString() + " " + Does(*range) +
                " in another stream",
            WithAdvice({DescribeCurrentThread() + ": " + ReadOrWrite(access) + " of " +
                            Bytes(access.bytes),
                        "memory: " + DescribeMemory(access), DescribeLaunch()},
                       self, *other)});
  }
}

void ReportHost(const Access& access, const void* host_pc, const char* host_verb) {
  Report({"missing_synchronisation",
          "host code at " + Locate(host_pc).ToString() + ": " + host_verb + " of memory that " +
              DescribeKernel() + " " + (access.writes() ? "writes" : "reads") + " at " +
              Locate(access.pc).ToString(),
          {DescribeCurrentThread() + ": " + ReadOrWrite(access) + " of " + Bytes(access.bytes),
           "memory: " + DescribeMemory(access), DescribeLaunch(), kWaitFirst}});
}

// Compares the access with the host's accesses since this kernel's launch.
void CheckHostNotes(const Access& access) {
  Streams& streams = Streams::Get();
  const std::uint64_t self = streams.running->sequence;
  if (last_noted < self) return;
  const auto found =
      HostNotes().find(reinterpret_cast<std::uintptr_t>(access.address) / kWordBytes);
  if (found == HostNotes().end()) return;
  const HostNote& note = found->second;
  if (access.writes() && note.polled_after >= self) streams.host.Join(streams.running->clock);
  if (note.written_after >= self) {
    ReportHost(access, note.write_pc, "write");
  } else if (access.writes() && note.read_after >= self) {
    ReportHost(access, note.read_pc, "read");
  }
}

void Remember(const Access& access, std::uint64_t now) {
  auto& notes = HostNotes();
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(access.address) / kWordBytes;
  const std::uintptr_t last =
      reinterpret_cast<std::uintptr_t>(access.address + access.bytes - 1) / kWordBytes;
  if (notes.size() > kMaxHostNotes) notes.clear();
  for (std::uintptr_t word = first; word <= last; ++word) {
    HostNote& note = notes[word];
    if (access.synchronises) {
      if (!access.writes()) note.polled_after = now;
      continue;
    }
    (access.writes() ? note.written_after : note.read_after) = now;
    (access.writes() ? note.write_pc : note.read_pc) = access.pc;
  }
  last_noted = now;
}

const char* HostAdvice() {
  return Streams::Get().running != nullptr ? kInHostFunction : kWaitFirst;
}

// An atomic or volatile access by the host is taken as the poll of a flag: what the kernel did
// before it set the flag happens before.
void CheckHostAgainstKernels(Streams& streams, const Access& access, const StreamClock& known,
                             const char* memory) {
  const MemoryUse use = access.writes() ? MemoryUse::kWrites : MemoryUse::kReads;
  const PastAccess past = FindPast({access.address, access.bytes, use}, known);
  if (past.operation == nullptr) return;
  if (access.synchronises) {
    if ((past.cell & kWrote) != 0) streams.host.Join(past.operation->clock);
    return;
  }
  Report({"missing_synchronisation",
          "host code at " + Locate(access.pc).ToString() + ": " + ReadOrWrite(access) + " of " +
              memory + " memory that kernel " + past.operation->origin.name + " " +
              DidAt(past.cell),
          {"memory: " + DescribeMemory(access), past.operation->origin.ToString(), HostAdvice()}});
}

}  // namespace

// Conflicts between two copies or fills are found when the second is submitted.
void OnSubmit(Streams& streams, const StreamOperation& operation) {
  CheckKernelsBefore(streams, operation);
  for (const auto& other : streams.remembered) {
    if (other->ranges.empty() || other->Precedes(operation.clock)) continue;
    for (const MemoryRange& range : operation.ranges) {
      const MemoryRange* const conflict =
          FindConflict(*other, range.begin, range.bytes, range.use != MemoryUse::kReads);
      if (conflict == nullptr) continue;
      Report({"missing_synchronisation",
              operation.origin.ToString() + " " + Does(range) + " memory that " +
                  other->origin.ToString() + " " + Does(*conflict) + " in another stream",
              WithAdvice(MemoryOf(range), operation, *other)});
    }
  }
}

// What has not run yet runs now, so that its kernels' accesses are known.
void OnHandBack(const Allocation& argument) {
  Streams& streams = Streams::Get();
  const std::lock_guard lock(streams.mutex);
  DrainAll(streams);
  const MemoryRange range{argument.begin, argument.bytes, MemoryUse::kWrites};
  const std::string before = "the function returned, and ";
  const std::vector<std::string> details{"memory: " + argument.name, kWaitFirst};
  for (const auto& other : streams.remembered) {
    if (other->Precedes(streams.host)) continue;
    const MemoryRange* const conflict = FindConflict(*other, range.begin, range.bytes, true);
    if (conflict == nullptr) continue;
    Report({"missing_synchronisation",
            before + other->origin.ToString() + " still " + Does(*conflict) + " its argument",
            details});
  }
  const PastAccess past = FindPast(range, streams.host);
  if (past.operation == nullptr) return;
  Report({"missing_synchronisation",
          before + "kernel " + past.operation->origin.name + " still " + DidAt(past.cell) +
              " its argument",
          details});
}

void ForgetRanges(const void* begin, std::size_t bytes) {
  Streams& streams = Streams::Get();
  const std::lock_guard lock(streams.mutex);
  for (const auto& operation : streams.remembered) {
    std::erase_if(operation->ranges, [&](const MemoryRange& range) {
      return Overlap(range, static_cast<const char*>(begin), bytes);
    });
  }
}

bool HasUnorderedWork() {
  const Streams& streams = Streams::Get();
  if (streams.running == nullptr) return false;
  const StreamOperation& self = *streams.running;
  for (const auto& other : streams.remembered) {
    const bool ordered = other->Precedes(self.clock) || self.Precedes(other->clock);
    if (other.get() != &self && !ordered) return true;
  }
  return false;
}

void ForgetEpochsOfStreams() {
  for (const auto& other : Streams::Get().remembered) {
    other->first_epoch = 1;
    other->last_epoch = 0;
  }
}

void BeginStreamWatch() {
  Streams& streams = Streams::Get();
  detector.watch_streams = false;
  if (streams.running == nullptr) return;
  StreamOperation& self = *streams.running;
  self.first_epoch = self.last_epoch = detector.grid.begin;
  detector.watch_streams = last_noted >= self.sequence || HasUnorderedWork();
  if (detector.watch_streams) detector.now.heap_begin = kNowhere;
}

void EndStreamWatch() {
  if (Streams::Get().running != nullptr) Streams::Get().running->last_epoch = detector.last_epoch;
  detector.watch_streams = false;
}

void CheckStreamOrder(const Access& access, const Shadow& shadow, std::size_t word, unsigned mask) {
  const StreamClock& known = Streams::Get().running->clock;
  const PastAccess past = FindPast(shadow, word, mask, access.writes(), known);
  if (past.operation != nullptr) ReportStreams(access, *past.operation, past.cell);
  CheckCopies(access);
  CheckHostNotes(access);
}

void CheckHostOrder(const Access& access, bool pinned) {
  Streams& streams = Streams::Get();
  const std::lock_guard lock(streams.mutex);
  if (streams.remembered.empty()) return;
  // In a callback the host code belongs to the callback's stream.
  const StreamOperation* const callback = streams.running.get();
  const StreamClock& known = callback != nullptr ? callback->clock : streams.host;
  const char* const memory = pinned ? "pinned" : "managed";
  CheckHostAgainstKernels(streams, access, known, memory);
  bool pending = false;
  for (const auto& other : streams.remembered) {
    if (other->Precedes(known)) continue;
    if (callback != nullptr && callback->Precedes(other->clock)) continue;
    pending = true;
    const MemoryRange* const range =
        FindConflict(*other, access.address, access.bytes, access.writes());
    if (range == nullptr) continue;
    Report({"missing_synchronisation",
            "host code at " + Locate(access.pc).ToString() + ": " + ReadOrWrite(access) + " of " +
                memory + " memory that " + other->origin.ToString() + " " + Does(*range),
            {"memory: " + DescribeMemory(access), HostAdvice()}});
  }
  if (pending) Remember(access, callback != nullptr ? callback->sequence : streams.sequence);
}

}  // namespace cudasim
