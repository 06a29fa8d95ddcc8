// What the host writes and reads: copies, fills and its own accesses.
#include "common/cudasim/instrument/account.h"

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

constexpr std::size_t kMaxOperations = kCompared - 1;  // beyond, all share the last, as copies

bool IsPinnedOutput(const void* pointer) {
  const std::size_t granule = DeviceHeap::Offset(pointer) / DeviceHeap::kGranule;
  const Allocation* const owner = DeviceHeap::Get().GranuleOwner(granule);
  return owner != nullptr && owner->role == ArgumentRole::kOutput && owner->pinned;
}

bool IsOnDevice(const void* pointer) {
  if (DeviceHeap::Contains(pointer)) return !DeviceHeap::Get().IsPinned(pointer);
  return IsSymbol(pointer, 1);
}

// Copies the marks with the bytes.  Each copy of filled bytes is charged as a new fill: otherwise
// the host could write its output for free, by copying byte after byte from a table of fills.
void CarryMarks(Account& account, const HostCopy& copy, const MarkedPlace& to,
                const MarkedPlace& from) {
  Mark last = 0;
  Mark carried = 0;
  to.marks->Carry(to.offset, *from.marks, from.offset, copy.bytes, [&](Mark marked) {
    const auto mark = static_cast<Mark>(marked & ~kCompared);
    if (mark == 0 || account.operations[mark - 1].width == 0) return mark;
    if (mark != last) {
      last = mark;
      const HostOperation fill = account.operations[mark - 1];
      carried = AddOperation(account, {copy.call, copy.caller, fill.width});
    }
    return carried;
  });
}

// What a copy costs on the timeline.
void ChargeCopyOf(const HostCopy& copy, bool to_device, bool from_device) {
  const auto pageable = [&](const void* host) {
    return !DeviceHeap::Contains(host) && !IsRegisteredMemory(host, copy.bytes);
  };
  if (to_device == from_device) {
    ChargeCopy(to_device ? CopyKind::kOnDevice : CopyKind::kOnHost, false, copy.bytes);
  } else if (to_device) {
    ChargeCopy(CopyKind::kIn, pageable(copy.from), copy.bytes);
  } else {
    ChargeCopy(CopyKind::kOut, pageable(copy.to), copy.bytes);
  }
}

}  // namespace

// Never destroyed: the program's destructors may still copy.
Account& TheAccount() {
  static auto* const account = new Account;
  return *account;
}

Mark AddOperation(Account& account, const HostOperation& operation) {
  const bool copies = operation.width == 0;
  const auto same = copies ? account.copies.find(operation.caller) : account.copies.end();
  if (same != account.copies.end()) return same->second;
  if (account.operations.size() < kMaxOperations) {
    account.operations.push_back(operation);
  } else {
    account.operations.back().width = 0;
  }
  const auto mark = static_cast<Mark>(account.operations.size());
  if (copies) account.copies[operation.caller] = mark;
  return mark;
}

// Of pinned memory, outputs have marks.
MarkedPlace MarksOf(Account& account, const void* pointer) {
  if (DeviceHeap::Contains(pointer)) {
    const bool marked = !DeviceHeap::Get().IsPinned(pointer) || IsPinnedOutput(pointer);
    return {marked ? &account.heap : nullptr, DeviceHeap::Offset(pointer)};
  }
  if (IsDeviceVariable(pointer, 1)) {
    const char* const begin = DeviceVariables().begin;
    return {&account.variables,
            static_cast<std::size_t>(static_cast<const char*>(pointer) - begin)};
  }
  return {nullptr, 0};
}

void ShowMarked(const Account& account) {
  account_spans.marked = account.heap.marked();
  account_spans.marks = account.heap.table();
  const bool compares = !kCheckMode && account.host_data.is_watched();
  account_spans.host_data = compares ? account_spans.marked : OffsetSpan{};
}

void OnHostCopy(const HostCopy& copy) {
  Account& account = TheAccount();
  const Account::Lock lock(account.mutex);
  const bool to_device = IsOnDevice(copy.to);
  const bool from_device = IsOnDevice(copy.from);
  ChargeCopyOf(copy, to_device, from_device);
  if (to_device != from_device) CountMoved(account, copy.bytes);
  OnCopied(copy.to, copy.from, copy.bytes);
  if (!account.active) return;
  const MarkedPlace to = MarksOf(account, copy.to);
  const MarkedPlace from = MarksOf(account, copy.from);
  if (DeviceHeap::Contains(copy.from)) AccountRead(DeviceHeap::Offset(copy.from), copy.bytes);
  if (from_device && !to_device) account.host_data.AddReturned(copy.from, copy.bytes);
  if (to.marks == nullptr) {
    // To constants, which kernels read without further notice.
    if (to_device && !from_device) account.host_data.AddRead(copy.from, copy.bytes);
    return;
  }
  if (!from_device || from.marks == nullptr) {
    to.marks->Set(to.offset, copy.bytes, AddOperation(account, {copy.call, copy.caller, 0}));
  } else {
    CarryMarks(account, copy, to, from);
  }
  ShowMarked(account);
}

std::uint32_t OnFillBegin(const char* call, const void* caller, std::size_t width) {
  Account& account = TheAccount();
  const Account::Lock lock(account.mutex);
  return account.active ? AddOperation(account, {call, caller, width}) : 0;
}

void OnFillRow(std::uint32_t operation, const void* begin, std::size_t bytes) {
  ChargeFill(bytes);
  OnCopied(begin, nullptr, bytes);
  Account& account = TheAccount();
  const Account::Lock lock(account.mutex);
  if (!account.active || operation == 0) return;
  const MarkedPlace place = MarksOf(account, begin);
  if (place.marks == nullptr) return;
  place.marks->Set(place.offset, bytes, static_cast<Mark>(operation));
  ShowMarked(account);
}

void AccountHostAccess(const char* address, std::size_t bytes, bool writes, const void* pc) {
  Account& account = TheAccount();
  const Account::Lock lock(account.mutex);
  const bool pinned = DeviceHeap::Get().IsPinned(address);
  if (!pinned) CountMoved(account, bytes);
  if (!account.active) return;
  if (!writes) return AccountRead(DeviceHeap::Offset(address), bytes);
  const MarkedPlace place = MarksOf(account, address);
  if (place.marks == nullptr) return;  // copies from it count as the host's in any case
  place.marks->Set(place.offset, bytes, AddOperation(account, {"store by the host", pc, 0}));
  ShowMarked(account);
}

}  // namespace cudasim
