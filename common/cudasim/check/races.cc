#include "common/cudasim/check/races.h"

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/runtime/report.h"
#include "common/cudasim/runtime/symbolizer.h"

namespace cudasim {
namespace {

// The earlier of two conflicting accesses.
struct Earlier {
  ThreadId thread;
  const void* pc;
  const char* verb;
};

// True if the access of `thread` at `serial` happened before anything the current thread does now.
bool IsOrdered(Serial serial, ThreadId thread) {
  if (serial < checked_grid.begin) return true;
  const CheckedThread& self = ThisThread();
  if (thread == self.id) return true;
  const CheckedBlock& block = ThisBlock();
  const unsigned other_block = BlockOf(thread);
  if (other_block == BlockOf(self.id) && (serial < block.epoch || WarpOrders(thread, serial))) {
    return true;
  }
  return self.knowledge.Orders(other_block, thread, serial) ||
         block.knowledge.Orders(other_block, thread, serial);
}

const char* Verb(const Access& access) {
  if (access.operation == Operation::kRead) return "read";
  return access.operation == Operation::kWrite ? "write" : "atomic update";
}

// What would order the two threads.
const char* Advice(ThreadId self, ThreadId other) {
  if (BlockOf(self) != BlockOf(other)) {
    return "nothing orders different blocks here: use atomics, or separate launches";
  }
  return SameWarp(self, other) ? "no __syncthreads() or __syncwarp() lies between the two"
                               : "no __syncthreads() lies between the two";
}

void ReportRace(const Access& access, const Earlier& earlier, bool shared) {
  const ThreadId self = ThisThread().id;
  const std::string here = Locate(access.pc).ToString();
  const std::string there = Locate(earlier.pc).ToString();
  Report(
      {"data_race",
       DescribeKernel() + ", " + here + ": " + Verb(access) + " of " +
           (shared ? "shared" : "global") + " memory races with the " + earlier.verb + " at " +
           there,
       {DescribeThread(self) + ": " + Verb(access) + " of " + Bytes(access.bytes) + " at " + here,
        DescribeThread(earlier.thread) + ": " + earlier.verb + " at " + there,
        "memory: " + DescribeMemory(access), DescribeLaunch(), Advice(self, earlier.thread)}});
}

bool ConflictsWithWrite(const Access& access, const Cell& cell, unsigned mask) {
  if ((cell.write_mask & mask) == 0) return false;
  if (access.synchronises && cell.atomic_write) return false;
  return !IsOrdered(cell.write_serial, cell.write_thread);
}

// The thread whose earlier read conflicts with this write; kNoThread if none.
ThreadId ConflictingReader(const Cell& cell, unsigned mask) {
  if ((cell.read_mask & mask) == 0) return kNoThread;
  const ThreadId self = ThisThread().id;
  const ThreadId reader = cell.read_thread != self ? cell.read_thread : cell.second_reader;
  if (reader == kNoThread || IsOrdered(cell.read_serial, reader)) return kNoThread;
  return reader;
}

void RememberRead(const Access& access, Cell& cell, unsigned mask) {
  const ThreadId self = ThisThread().id;
  const Serial now = ThisBlock().current;
  if (cell.read_serial == now && cell.read_thread != self) {
    cell.second_reader = self;
    cell.read_mask |= static_cast<std::uint8_t>(mask);
    return;
  }
  if (cell.read_serial != now) {
    cell.second_reader = kNoThread;
    cell.read_mask = 0;
  }
  cell.read_serial = now;
  cell.read_thread = self;
  cell.read_pc = ToCodeOffset(access.pc);
  cell.read_mask |= static_cast<std::uint8_t>(mask);
}

void RememberWrite(const Access& access, Cell& cell, unsigned mask) {
  const ThreadId self = ThisThread().id;
  const Serial now = ThisBlock().current;
  if (cell.write_serial != now || cell.write_thread != self) cell.write_mask = 0;
  cell.write_serial = now;
  cell.write_thread = self;
  cell.write_pc = ToCodeOffset(access.pc);
  cell.write_mask |= static_cast<std::uint8_t>(mask);
  cell.atomic_write = access.synchronises;
}

// Shared memory of an earlier block lies at the same addresses.
void ForgetEarlierBlock(Cell& cell) {
  const Serial begin = ThisBlock().begin;
  if (cell.write_serial < begin) cell.write_mask = 0;
  if (cell.read_serial < begin) cell.read_mask = 0;
}

}  // namespace

void CheckRace(const Access& access, Cell& cell, unsigned mask, bool shared) {
  if (shared) ForgetEarlierBlock(cell);
  if (ConflictsWithWrite(access, cell, mask)) {
    ReportRace(access,
               {cell.write_thread, FromCodeOffset(cell.write_pc),
                cell.atomic_write ? "atomic or volatile write" : "write"},
               shared);
  } else if (access.writes()) {
    const ThreadId reader = ConflictingReader(cell, mask);
    if (reader != kNoThread) {
      ReportRace(access, {reader, FromCodeOffset(cell.read_pc), "read"}, shared);
    }
  }
  if (access.writes()) {
    RememberWrite(access, cell, mask);
  } else if (!access.synchronises) {
    RememberRead(access, cell, mask);
  }
}

}  // namespace cudasim
