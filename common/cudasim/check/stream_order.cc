#include "common/cudasim/check/stream_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/epochs.h"
#include "common/cudasim/check/family_order.h"
#include "common/cudasim/check/host_order.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/past_access.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/stream_conflict.h"
#include "common/cudasim/check/uncontested.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {

constinit bool watch_streams = false;

namespace {

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
                past.operation->origin.name + " " +
                DidAt(past.cell, past.operation->origin.launch) + " " +
                WhereIs(operation, *past.operation),
            WithAdvice({"the other: " + past.operation->origin.ToString()}, operation,
                       *past.operation)});
  }
}

void ReportStreams(const Access& access, const StreamOperation& other, ShadowCell cell) {
  const StreamOperation& self = *Streams::Get().running;
  Report({"missing_synchronisation",
          DescribeKernel() + ", " + Locate(access.pc).ToString() + ": " + ReadOrWrite(access) +
              " of memory that kernel " + other.origin.name + " " +
              DidAt(cell, other.origin.launch) + " " + WhereIs(self, other),
          WithAdvice(
              {DescribeCurrentThread() + ": " + ReadOrWrite(access) + " of " + Bytes(access.bytes),
               "memory: " + DescribeMemory(access), DescribeLaunch(),
               "the other: " + other.origin.ToString()},
              self, other)});
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
                " of memory that " + other->origin.ToString() + " " + Does(*range) + " " +
                WhereIs(self, *other),
            WithAdvice({DescribeCurrentThread() + ": " + ReadOrWrite(access) + " of " +
                            Bytes(access.bytes),
                        "memory: " + DescribeMemory(access), DescribeLaunch()},
                       self, *other)});
  }
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
                  other->origin.ToString() + " " + Does(*conflict) + " " +
                  WhereIs(operation, *other),
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
          before + "kernel " + past.operation->origin.name + " still " +
              DidAt(past.cell, past.operation->origin.launch) + " its argument",
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
  watch_streams = false;
  if (streams.running == nullptr) return;
  StreamOperation& self = *streams.running;
  const bool is_child = checked_grid.grid->as_child != nullptr;
  if (!is_child) self.first_epoch = checked_grid.begin;
  self.last_epoch = checked_grid.begin;
  watch_streams =
      HostAccessedSince(self.sequence) || HasUnorderedWork() || (is_child && HasUnorderedFamily());
  if (!watch_streams) return;
  running.heap_begin = kNowhere;
  BeginUncontested();
}

void EndStreamWatch() {
  if (Streams::Get().running != nullptr) Streams::Get().running->last_epoch = epochs.last;
  watch_streams = false;
}

void CheckStreamOrder(const Access& access, const Shadow& shadow, std::size_t word, unsigned mask) {
  const StreamClock& known = Streams::Get().running->clock;
  const bool is_atomic =
      access.synchronises && !access.is_volatile && (access.order & kBlockScope) == 0;
  const PastAccess past = FindPast(shadow, word, mask, {access.writes(), is_atomic}, known);
  if (past.operation != nullptr) ReportStreams(access, *past.operation, past.cell);
  CheckCopies(access);
  CheckHostNotes(access);
  CheckFamilyOrder(access, shadow, word, mask);
}

}  // namespace cudasim
