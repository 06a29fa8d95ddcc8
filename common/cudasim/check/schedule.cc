#include "common/cudasim/check/schedule.h"

#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/races.h"
#include "common/cudasim/check/shadow_cells.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/volatile_order.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

constinit Schedule schedule;
namespace {

// Of one launch, so that check mode's time stays in proportion to the program's.
constexpr unsigned kMaxSwitches = 64;
constexpr unsigned kFirstSwitches = 8;
constexpr unsigned kStepsPerSwitch = 32;  // beyond the first ones
// Where threads wait for the thread that is switched away from, all of them poll in between.
constexpr unsigned kMaxPauses = 1024;

// Of a launch. volatile_order.h knows an update by its value: two threads that count from the same
// value look as if they stored one flag.
constexpr unsigned kVolatileStepsInOrder = 2;

constexpr std::size_t kMaxTold = 4;  // in one run of a program

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
unsigned long long NextRandom() {
  unsigned long long z = schedule.state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// True for a write that may be a flag of the volatile data before it. Whether it is one shows when
// others have to wait for it.
bool MayBeFlag(const Access& access, AtomicKind kind) {
  const void* const data = ThisThread().volatile_write;
  return kind == AtomicKind::kExchange && !running.fences && data != nullptr &&
         data != access.address;
}

// False while the report of an access is held back until its thread's next one.
bool IsTurn(const Access& access, bool updates) {
  if (schedule.state == 0 || held_read.is_held || held_write.bytes != 0) return false;
  if (access.is_volatile && updates && schedule.volatile_steps < kVolatileStepsInOrder) {
    ++schedule.volatile_steps;
    return false;
  }
  ++schedule.steps;
  if (schedule.switches == kMaxSwitches || schedule.pauses > kMaxPauses) return false;
  if (schedule.switches >= kFirstSwitches + schedule.steps / kStepsPerSwitch) return false;
  if (schedule.switches > 0 && (NextRandom() & 1) == 0) return false;
  ++schedule.switches;
  return true;
}

unsigned long long ValueAt(const Access& access) {
  unsigned long long value = 0;
  std::memcpy(&value, access.address, std::min<std::size_t>(access.bytes, sizeof(value)));
  return value;
}

bool IsLook(const Access& access) {
  if (!access.writes() || (access.order & kLooks) != 0) return true;
  return access.expected != nullptr &&
         std::memcmp(access.address, access.expected, access.bytes) != 0;
}

Look* FindLook(CheckedThread& thread, const Access& access) {
  if (thread.looks_made == 0) return nullptr;
  Look* const end = thread.looks + std::min(thread.looks_made, CheckedThread::kLooks);
  Look* const look = std::find_if(thread.looks, end, [&](const Look& known) {
    return known.address == access.address && known.bytes == access.bytes;
  });
  return look == end ? nullptr : look;
}

// Min, max, and, or and xor do not depend on what was there.
bool MayLose(AtomicKind kind) {
  return kind != AtomicKind::kCombine && kind != AtomicKind::kCompareAndSwap &&
         kind != AtomicKind::kPhase;
}

// The thread of the latest atomic or volatile write of the word by another thread of this launch.
void NameOther(StaleWrite& write) {
  const char* const address = write.access.address;
  const SharedAddress shared = FindShared(address);
  ShadowCells cells;
  if (DeviceHeap::Contains(address)) {
    cells = Load(GlobalShadow(), DeviceHeap::Offset(address) / kWordBytes, running.launch);
  } else if (shared.owner != nullptr) {
    const CheckedBlock& block = *shared.owner->checked;
    cells = Load(block.shadow, shared.offset / kWordBytes, Stamp(block.begin, 0));
  }
  for (const ShadowCell cell : cells) {
    if ((cell & kWrote) == 0 || ThreadIdOf(cell) == write.thread) continue;
    write.changed_by = ThreadIdOf(cell);
    return;
  }
}

void TellAtExit(int status, void*) {
  if (status != 0) TellStaleWrites();
}

std::vector<std::string>& HeldBack() {
  static auto* const texts = [] {
    on_exit(&TellAtExit, nullptr);
    return new std::vector<std::string>;
  }();
  return *texts;
}

std::string Describe(const StaleWrite& write, const char* verb, const char* outcome) {
  const std::string looked = Locate(write.looked_at).ToString();
  const std::string wrote = Locate(write.access.pc).ToString();
  const std::string other =
      write.changed_by == kNoThread ? "another thread" : DescribeThread(write.changed_by);
  return DescribeKernel() + ", " + wrote + ": " + DescribeThread(write.thread) + " read " +
         DescribeMemory(write.access) + " at " + looked + " and " + verb + " it at " + wrote +
         "; between the two " + other + " changed it" + outcome +
         "; make one atomic operation of the two, such as atomicAdd or a loop with atomicCAS";
}

void Tell(const StaleWrite& write, bool lost) {
  static auto* const told = new std::set<std::pair<const void*, const void*>>;
  if (told->size() == kMaxTold || !told->emplace(write.looked_at, write.access.pc).second) return;
  const char* const verb = write.access.operation == Operation::kWrite ? "wrote" : "updated";
  const std::string text = Describe(write, verb, lost ? ", and its update is lost" : "");
  if (lost || LogFileSetting() != nullptr) {
    Warn(lost ? Kind("lost_update") : Kind("stale_look"), text);
  } else {
    HeldBack().push_back(text);
  }
}

}  // namespace

void BeginSchedule() {
  static unsigned long long launches = 0;
  schedule = {};
  if (const unsigned long long seed = ScheduleSetting(); seed != 0) {
    schedule.state = seed + ++launches * 0xd1342543de82ef95;
  }
}

void BeforeWrite(const Access& access, AtomicKind kind) {
  SettleStaleWrite();
  if (!access.writes() || (access.order & kLooks) != 0) return;
  CheckedThread& thread = ThisThread();
  Look* const look = FindLook(thread, access);
  const bool updates = look != nullptr && kind != AtomicKind::kCompareAndSwap;
  if ((updates || MayBeFlag(access, kind)) && IsTurn(access, updates)) {
    const bool in_block =
        FindShared(access.address).owner != nullptr || checked_grid.grid->blocks == 1;
    YieldThread(!in_block && (NextRandom() & 1) == 0);
  }
  if (look == nullptr) return;
  const unsigned long long value = ValueAt(access);
  if (value != look->value && MayLose(kind)) {
    in_kernel = false;
    const bool replaces = kind == AtomicKind::kExchange && access.operation == Operation::kWrite;
    StaleWrite& stale = schedule.stale;
    stale = {access, ThisThreadId(), look->pc, kNoThread, value, replaces};
    NameOther(stale);
    in_kernel = true;
  }
  look->address = nullptr;
}

void AfterLook(const Access& access) {
  if (!IsLook(access)) return;
  CheckedThread& thread = ThisThread();
  Look* look = FindLook(thread, access);
  if (look == nullptr) look = &thread.looks[thread.looks_made++ % CheckedThread::kLooks];
  *look = {access.address, access.pc, ValueAt(access), access.bytes};
}

void NoteResultUnused() {
  StaleWrite& stale = schedule.stale;
  if (stale.thread == ThisThreadId()) stale.replaces = true;
}

void SettleStaleWrite() {
  StaleWrite& stale = schedule.stale;
  if (stale.thread == kNoThread) return;
  const bool known = stale.thread == ThisThreadId();
  const bool was_in_kernel = in_kernel;
  in_kernel = false;
  const bool adds =
      stale.access.operation == Operation::kAtomic && (stale.access.order & kCombines) != 0;
  if (known && (adds || stale.replaces)) {
    Tell(stale, !adds && ValueAt(stale.access) != stale.changed_to);
  }
  stale.thread = kNoThread;
  in_kernel = was_in_kernel;
}

void TellStaleWrites() {
  for (const std::string& text : HeldBack()) Warn("stale_look", text);
  HeldBack().clear();
}

}  // namespace cudasim
