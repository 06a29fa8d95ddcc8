#include "common/cudasim/check/host_order.h"

#include <memory>
#include <mutex>
#include <unordered_map>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/past_access.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/stream_conflict.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

constexpr std::size_t kMaxHostNotes = std::size_t{1} << 20;  // words

// The host's last accesses to a word while work was pending: the sequence number of the newest work
// at that time, and the code addresses.
struct HostNote {
  std::uint64_t read_after = 0;
  std::uint64_t written_after = 0;
  std::uint64_t polled_after = 0;  // read as a flag
  const void* read_pc = nullptr;
  const void* write_pc = nullptr;
  // The host function that accessed it; null: a thread of the program did.
  std::shared_ptr<const StreamOperation> reader;
  std::shared_ptr<const StreamOperation> writer;
};

std::unordered_map<std::uintptr_t, HostNote>& HostNotes() {
  static auto* const notes = new std::unordered_map<std::uintptr_t, HostNote>;
  return *notes;
}

std::uint64_t last_noted = 0;  // the largest sequence number of all notes
bool functions_noted = false;  // some note is of a host function

// Whether the access of a note is unordered with the running kernel.
bool IsUnordered(std::uint64_t after, const StreamOperation* function,
                 const StreamOperation& kernel) {
  if (function == nullptr) return after >= kernel.sequence;
  return !function->Precedes(kernel.clock) && !kernel.Precedes(function->clock);
}

void ReportHost(const Access& access, const void* host_pc, const char* host_verb,
                const char* advice) {
  Report({"missing_synchronisation",
          "host code at " + Locate(host_pc).ToString() + ": " + host_verb + " of memory that " +
              DescribeKernel() + " " + (access.writes() ? "writes" : "reads") + " at " +
              Locate(access.pc).ToString(),
          {DescribeCurrentThread() + ": " + ReadOrWrite(access) + " of " + Bytes(access.bytes),
           "memory: " + DescribeMemory(access), DescribeLaunch(), advice}});
}

void Remember(const Access& access, std::uint64_t now,
              const std::shared_ptr<StreamOperation>& function) {
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
    (access.writes() ? note.writer : note.reader) = function;
  }
  functions_noted = functions_noted || function != nullptr;
  last_noted = now;
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
              DidAt(past.cell, past.operation->origin.launch),
          {"memory: " + DescribeMemory(access), past.operation->origin.ToString(),
           HostAdvice(streams.running.get(), *past.operation)}});
}

}  // namespace

bool HostAccessedSince(std::uint64_t sequence) { return last_noted >= sequence; }

bool HasHostNote(const char* begin, std::size_t bytes) {
  if (!HostAccessedSince(Streams::Get().running->sequence) && !functions_noted) return false;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin) / kWordBytes;
  for (std::uintptr_t word = first; word < first + bytes / kWordBytes; ++word) {
    if (HostNotes().contains(word)) return true;
  }
  return false;
}

void CheckHostNotes(const Access& access) {
  Streams& streams = Streams::Get();
  const StreamOperation& self = *streams.running;
  if (last_noted < self.sequence && !functions_noted) return;
  const auto found =
      HostNotes().find(reinterpret_cast<std::uintptr_t>(access.address) / kWordBytes);
  if (found == HostNotes().end()) return;
  const HostNote& note = found->second;
  if (access.writes() && note.polled_after >= self.sequence) streams.host.Join(self.clock);
  if (note.write_pc != nullptr && IsUnordered(note.written_after, note.writer.get(), self)) {
    ReportHost(access, note.write_pc, "write", HostAdvice(note.writer.get(), self));
  } else if (access.writes() && note.read_pc != nullptr &&
             IsUnordered(note.read_after, note.reader.get(), self)) {
    ReportHost(access, note.read_pc, "read", HostAdvice(note.reader.get(), self));
  }
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
            {"memory: " + DescribeMemory(access), HostAdvice(callback, *other)}});
  }
  if (!pending) return;
  Remember(access, callback != nullptr ? callback->sequence : streams.sequence, streams.running);
}

}  // namespace cudasim
