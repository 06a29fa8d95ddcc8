#include "common/cudasim/check/access.h"

#include <algorithm>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/races.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/runtime/heap.h"
#include "common/cudasim/runtime/shared_memory.h"

namespace cudasim {
namespace {

constexpr unsigned kMaxPolls = 32;
constexpr unsigned kMaxAccessBytes = 16;
constexpr std::size_t kPlaceBytes = 128;  // shared variables begin at multiples of it

Cell* GlobalCells() {
  static Cell* const cells = ReserveCells(DeviceHeap::kRangeBytes);
  return cells;
}

// Checks the access word by word against what the shadow remembers.
void CheckWords(const Access& access, Cell* cells, std::size_t offset, bool shared) {
  for (unsigned done = 0; done < access.bytes;) {
    const std::size_t at = offset + done;
    const auto in_word = static_cast<unsigned>(at % kWordBytes);
    const unsigned count = std::min<unsigned>(access.bytes - done, kWordBytes - in_word);
    const unsigned mask = ((1u << count) - 1) << in_word;
    CheckRace(access, cells[at / kWordBytes], mask, shared);
    done += count;
  }
}

void OnGlobalAccess(const Access& access) {
  const std::size_t offset = DeviceHeap::Offset(access.address);
  const Allocation* const owner = DeviceHeap::Get().GranuleOwner(offset / DeviceHeap::kGranule);
  if (__builtin_expect(
          owner == nullptr || owner->freed || access.address + access.bytes > owner->end(), 0)) {
    ReportBadDeviceAccess(access);
  }
  if (access.synchronises) SynchroniseThrough(access);
  CheckWords(access, GlobalCells(), offset, false);
}

// Which variable each kPlaceBytes of the arena belong to; made when first needed, as registration
// is over by then.
const PlacedVariable* OwnerOf(std::size_t offset) {
  static const std::vector<const PlacedVariable*> owners = [] {
    std::vector<const PlacedVariable*> table(shared_static_end / kPlaceBytes + 1, nullptr);
    for (const PlacedVariable& placed : SharedVariables()) {
      std::fill(table.begin() + static_cast<std::ptrdiff_t>(placed.offset / kPlaceBytes),
                table.end(), &placed);
    }
    return table;
  }();
  return owners[offset / kPlaceBytes];
}

bool SharedAccessOk(std::size_t offset, unsigned bytes) {
  if (offset >= shared_static_end) {
    return offset + bytes <= shared_static_end + checked_grid.grid->dynamic_bytes;
  }
  const PlacedVariable* const owner = OwnerOf(offset);
  return owner != nullptr && offset >= owner->offset &&
         offset + bytes <= owner->offset + owner->variable.bytes;
}

void OnSharedAccess(const Access& access, std::size_t offset) {
  if (__builtin_expect(!SharedAccessOk(offset, access.bytes), 0)) {
    ReportBadSharedAccess(access, offset);
  }
  if (access.synchronises) SynchroniseThrough(access);
  CheckWords(access, ThisBlock().shared_cells, offset, true);
}

void OnKernelAccess(const Access& access) {
  if (DeviceHeap::Contains(access.address)) {
    OnGlobalAccess(access);
    return;
  }
  const auto shared_offset = static_cast<std::size_t>(access.address - shared_arena);
  if (shared_offset < kArenaBytes) {
    OnSharedAccess(access, shared_offset);
    return;
  }
  const bool own_stack =
      access.address >= current_fiber->stack_low && access.address < current_fiber->stack_high;
  if (!own_stack) CheckOtherMemory(access);
}

}  // namespace

void DropGlobalCells(const void* begin, std::size_t bytes) {
  DropCells(GlobalCells() + DeviceHeap::Offset(begin) / kWordBytes,
            (bytes + kWordBytes - 1) / kWordBytes);
}

void OnAccess(const Access& access) {
  if (!in_kernel) {
    if (__builtin_expect(DeviceHeap::Contains(access.address), 0)) ReportHostAccess(access);
    return;
  }
  // Templates that both sides use, std::string's for one, may be linked as the student's
  // instrumented copy: what they do for the simulator is not the kernel's.
  in_kernel = false;
  OnKernelAccess(access);
  in_kernel = true;
}

void OnRange(char* address, std::size_t bytes, Operation operation, const void* pc) {
  for (std::size_t done = 0; done < bytes;) {
    const auto count = static_cast<unsigned>(std::min<std::size_t>(bytes - done, kMaxAccessBytes));
    OnAccess({address + done, count, operation, false, pc});
    done += count;
  }
}

void NoticePolling(const void* address) {
  if (!in_kernel) return;
  CheckedThread& thread = ThisThread();
  if (thread.polled != address) {
    thread.polled = address;
    thread.polls = 0;
  } else if (++thread.polls >= static_cast<int>(kMaxPolls)) {
    thread.polls = 0;
    cudasim_pause();
  }
}

}  // namespace cudasim
