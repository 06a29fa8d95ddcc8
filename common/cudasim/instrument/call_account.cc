#include "common/cudasim/instrument/call_account.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/instrument/host_data.h"
#include "common/cudasim/instrument/marks.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {

AccountSpans account_spans;

namespace {

// An input argument.
struct Input {
  OffsetSpan span;
  bool is_read = false;
};

// A host operation of the call.  The copies of one source line share a number; each fill has its
// own, as each is charged once.
struct HostOperation {
  const char* call;    // "cudaMemcpyAsync"
  const void* caller;  // return address
  std::size_t width;   // of a fill's value; 0: a copy
};

// Bytes up to which the source line is left out: the first lookup takes a tenth of a second.
constexpr std::uint64_t kNegligible = 16;
constexpr std::size_t kMaxOperations = kCompared - 1;  // beyond, all share the last, as copies

struct Account {
  std::recursive_mutex mutex;  // never held while kernels run
  bool active = false;         // a call has begun and not ended
  bool counts = true;          // moved bytes are counted: not between calls
  std::vector<Input> inputs;
  std::vector<HostOperation> operations;         // number 1 first
  std::unordered_map<const void*, Mark> copies;  // the operations that copy, by their callers
  Marks heap;                                    // of device memory
  Marks variables;                               // of __device__ variables
  HostData host_data;
  HostOperation own_data{};  // that wrote the host's own data that kernels read last
  std::atomic<std::uint64_t> host_device_bytes{0};
};

using Lock = std::lock_guard<std::recursive_mutex>;

// Never destroyed: the program's destructors may still copy.
Account& TheAccount() {
  static auto* const account = new Account;
  return *account;
}

void CountMoved(Account& account, std::size_t bytes) {
  if (account.counts) account.host_device_bytes += bytes;
}

void FindUnread(const Account& account) {
  std::uintptr_t begin = ~std::uintptr_t{0};
  std::uintptr_t end = 0;
  for (const Input& input : account.inputs) {
    if (input.is_read) continue;
    begin = std::min(begin, input.span.begin);
    end = std::max(end, input.span.begin + input.span.bytes);
  }
  account_spans.unread = end == 0 ? OffsetSpan{} : OffsetSpan{begin, end - begin};
}

void AddInput(Account& account, const Allocation& allocation) {
  account.inputs.push_back({{DeviceHeap::Offset(allocation.begin), allocation.bytes}});
  OnWatchInput(allocation);
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

// Where the marks of some memory are.
struct MarkedPlace {
  Marks* marks;  // null: the host's memory, __constant__ or __managed__ variables
  std::size_t offset;
};

bool IsPinnedOutput(const void* pointer) {
  const std::size_t granule = DeviceHeap::Offset(pointer) / DeviceHeap::kGranule;
  const Allocation* const owner = DeviceHeap::Get().GranuleOwner(granule);
  return owner != nullptr && owner->role == ArgumentRole::kOutput && owner->pinned;
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

// The heap's marks have changed: kernels' stores must test the new span.
void ShowMarked(const Account& account) {
  account_spans.marked = account.heap.marked();
  account_spans.marks = account.heap.table();
  const bool compares = !kCheckMode && account.host_data.is_watched();
  account_spans.host_data = compares ? account_spans.marked : OffsetSpan{};
}

// An argument of the call, for what kernels must read.
void NoteHostData(Account& account, const Allocation& argument) {
  if (argument.host_may_use()) {
    account.host_data.AddArgument(argument.begin, argument.bytes, false);
  } else if (argument.role == ArgumentRole::kInput) {
    account.host_data.AddDeviceInput();
  }
}

// The host can write such an output unseen, in code that is not instrumented: until a kernel or a
// copy from the device has written a byte, the byte is the host's.
void MarkHostVisible(Account& account, const Allocation& output) {
  if (output.role != ArgumentRole::kOutput || !output.host_may_use()) return;
  account.heap.Set(DeviceHeap::Offset(output.begin), output.bytes,
                   AddOperation(account, {"stores of the host", nullptr, 0}));
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

// The bytes of `output` charged to each operation, by its number.
std::vector<std::uint64_t> ChargesOf(const Account& account, const Allocation& output) {
  std::vector<std::uint64_t> charges(account.operations.size() + 1);
  account.heap.ForEachMark(DeviceHeap::Offset(output.begin), output.bytes,
                           [&](Mark mark) { ++charges[mark & ~kCompared]; });
  for (std::size_t i = 0; i < account.operations.size(); ++i) {
    const std::size_t width = account.operations[i].width;
    if (width != 0) charges[i + 1] = std::min<std::uint64_t>(charges[i + 1], width);
  }
  return charges;
}

// Names the source line whose operations were charged most.
std::string DescribeWorst(const Account& account, std::vector<std::uint64_t> charges,
                          std::uint64_t charged) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < charges.size(); ++i) {
    std::size_t first = 1;
    while (account.operations[first - 1].caller != account.operations[i - 1].caller) ++first;
    if (first != i) charges[first] += charges[i];
    if (worst == 0 || charges[first] > charges[worst]) worst = first;
  }
  if (worst == 0) return "";
  const HostOperation& operation = account.operations[worst - 1];
  if (charged <= kNegligible || operation.caller == nullptr) return operation.call;
  return operation.call + (" at " + Locate(operation.caller).ToString());
}

void AddOutput(const Account& account, const Allocation& output, CudasimCallAccount& sum) {
  ++sum.outputs;
  const std::vector<std::uint64_t> charges = ChargesOf(account, output);
  std::uint64_t charged = 0;
  for (const std::uint64_t charge : charges) charged += charge;
  if (charged <= sum.output_bytes_from_host) return;
  sum.output_bytes_from_host = charged;
  std::snprintf(sum.copy, sizeof(sum.copy), "%s", DescribeWorst(account, charges, charged).c_str());
}

// What kernels read and what they wrote, if all inputs are the host's.
void AddHostData(const Account& account, CudasimCallAccount& sum) {
  const HostData& data = account.host_data;
  if (kCheckMode || !data.is_watched()) return;
  const std::uint64_t read = data.own_bytes_read();
  const std::uint64_t written = data.OwnBytesOfOutputs();
  const std::uint64_t own = std::max(read, written);
  if (own <= sum.output_bytes_from_host) return;
  sum.output_bytes_from_host = own;
  std::string text = "stores of the host: kernels never wrote them";
  if (read >= written) {
    const auto& [call, caller, width] = account.own_data;
    text = call == nullptr ? "the launch or the kernel" : call;
    if (caller != nullptr) text += " at " + Locate(caller).ToString();
    text += ", as kernels read there what no input holds";
  }
  std::snprintf(sum.copy, sizeof(sum.copy), "%s", text.c_str());
}

void AddInput(const Account& account, const Allocation& allocation, CudasimCallAccount& sum) {
  ++sum.inputs;
  for (const Input& input : account.inputs) {
    if (input.span.Contains(DeviceHeap::Offset(allocation.begin)) && input.is_read) return;
  }
  ++sum.unread_inputs;
}

// The linker may choose the program's instrumented copy of a template for this file too: its
// accesses here are not the kernel's.
class OutsideKernel {
 public:
  OutsideKernel() : was_in_kernel_(std::exchange(in_kernel, false)) {}
  ~OutsideKernel() { in_kernel = was_in_kernel_; }
  OutsideKernel(const OutsideKernel&) = delete;
  OutsideKernel& operator=(const OutsideKernel&) = delete;

 private:
  const bool was_in_kernel_;
};

}  // namespace

void AccountRead(std::uintptr_t offset, std::size_t bytes) {
  const OutsideKernel outside;
  Account& account = TheAccount();
  bool found = false;
  for (Input& input : account.inputs) {
    if (input.is_read || !input.span.Touches(offset, bytes)) continue;
    input.is_read = found = true;
  }
  if (found) FindUnread(account);
}

void AccountAnyAccess(std::uintptr_t offset, std::size_t bytes, Operation operation) {
  const OutsideKernel outside;
  if (operation != Operation::kWrite) AccountRead(offset, bytes);
  if (operation != Operation::kRead) TheAccount().heap.Clear(offset, bytes);
}

// Each byte that the host wrote is compared once.
void AccountHostData(std::uintptr_t offset, std::size_t bytes) {
  const OutsideKernel outside;
  Account& account = TheAccount();
  constexpr std::uintptr_t kWord = sizeof(std::uint32_t);
  for (std::uintptr_t word = offset / kWord * kWord; word < offset + bytes; word += kWord) {
    Mark* const marks = account.heap.table() + word;
    const Mark mark = *marks;
    if (mark == 0 || (mark & kCompared) != 0) continue;
    for (std::uintptr_t i = 0; i < kWord; ++i) {
      if (marks[i] != 0) marks[i] |= kCompared;
    }
    if (account.host_data.AddRead(DeviceHeap::Begin() + word, kWord) == 0) continue;
    account.own_data = account.operations[mark - 1];
  }
}

void AccountVariableWrite(const char* address, std::size_t bytes) {
  const OutsideKernel outside;
  Account& account = TheAccount();
  if (account.variables.marked().bytes == 0) return;
  account.variables.Clear(static_cast<std::size_t>(address - DeviceVariables().begin), bytes);
}

void AccountHostAccess(const char* address, std::size_t bytes, bool writes, const void* pc) {
  Account& account = TheAccount();
  const Lock lock(account.mutex);
  const bool pinned = DeviceHeap::Get().IsPinned(address);
  if (!pinned) CountMoved(account, bytes);
  if (!account.active) return;
  if (!writes) return AccountRead(DeviceHeap::Offset(address), bytes);
  const MarkedPlace place = MarksOf(account, address);
  if (place.marks == nullptr) return;  // copies from it count as the host's in any case
  place.marks->Set(place.offset, bytes, AddOperation(account, {"store by the host", pc, 0}));
  ShowMarked(account);
}

// What the host stored to managed memory has marks; see AccountHostData().
void AccountHostMemory(const Access& access, bool is_managed) {
  const OutsideKernel outside;
  Account& account = TheAccount();
  CountMoved(account, access.bytes);
  if (!account.active || is_managed) return;
  if (access.writes()) account.host_data.AddStored(access.bytes);
  if (access.operation != Operation::kWrite) {
    account.host_data.AddRead(access.address, access.bytes);
  }
}

namespace {

// The words of managed memory that kernels wrote last.
void AddReturned(Account& account, const Allocation& allocation) {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  const Mark* const marks = account.heap.table() + DeviceHeap::Offset(allocation.begin);
  for (std::size_t i = 0; i + kWord <= allocation.bytes; i += kWord) {
    if (marks[i] == 0) account.host_data.AddReturned(allocation.begin + i, kWord);
  }
}

}  // namespace

void AccountManagedFree(const Allocation& allocation) {
  Account& account = TheAccount();
  if (account.active && account.host_data.is_watched()) AddReturned(account, allocation);
}

void AccountFree(const char* begin, std::size_t bytes) {
  TheAccount().heap.Clear(DeviceHeap::Offset(begin), bytes);
}

std::uint64_t HostDeviceBytes() { return TheAccount().host_device_bytes; }

void ForgetHostDeviceBytes() {
  TheAccount().host_device_bytes = 0;
  TheAccount().counts = true;
}

namespace {

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

void OnHostCopy(const HostCopy& copy) {
  Account& account = TheAccount();
  const Lock lock(account.mutex);
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
  const Lock lock(account.mutex);
  return account.active ? AddOperation(account, {call, caller, width}) : 0;
}

void OnFillRow(std::uint32_t operation, const void* begin, std::size_t bytes) {
  ChargeFill(bytes);
  OnCopied(begin, nullptr, bytes);
  Account& account = TheAccount();
  const Lock lock(account.mutex);
  if (!account.active || operation == 0) return;
  const MarkedPlace place = MarksOf(account, begin);
  if (place.marks == nullptr) return;
  place.marks->Set(place.offset, bytes, static_cast<Mark>(operation));
  ShowMarked(account);
}

// What was copied to it until now prepared the argument, and does not belong to the call.
void OnNameArgument(const Allocation& allocation) {
  Account& account = TheAccount();
  const Lock lock(account.mutex);
  if (!account.active) return;
  account.heap.Clear(DeviceHeap::Offset(allocation.begin), allocation.bytes);
  if (!allocation.host_may_use()) {
    account.host_device_bytes -=
        std::min<std::uint64_t>(account.host_device_bytes, allocation.bytes);
  }
  MarkHostVisible(account, allocation);
  NoteHostData(account, allocation);
  ShowMarked(account);
  if (allocation.role != ArgumentRole::kInput) return;
  AddInput(account, allocation);
  FindUnread(account);
}

void OnParameters(std::size_t bytes) {
  constexpr std::size_t kFree = 64;
  if (bytes <= kFree) return;
  Account& account = TheAccount();
  CountMoved(account, bytes - kFree);
  account.host_data.AddOwn(bytes - kFree);
}

namespace {

void BeginAccount() {
  Account& account = TheAccount();
  const Lock lock(account.mutex);
  account.heap.Prepare(DeviceHeap::kRangeBytes);
  account.variables.Prepare(DeviceVariables().bytes);
  account.heap.ClearAll();
  account.variables.ClearAll();
  account.operations.clear();
  account.copies.clear();
  account.inputs.clear();
  account.host_data.BeginCall();
  account.own_data = {};
  for (const Allocation* const allocation : DeviceHeap::Get().Live()) {
    if (allocation->role == ArgumentRole::kInput) AddInput(account, *allocation);
    if (allocation->role != ArgumentRole::kNone) NoteHostData(account, *allocation);
    MarkHostVisible(account, *allocation);
  }
  FindUnread(account);
  ShowMarked(account);
  account.active = true;
}

}  // namespace
}  // namespace cudasim

extern "C" {

void cudasimBeginCall() {
  cudasim::ForgetCallsMade();
  cudasim::BeginCallPath();
  cudasim::BeginTimeline();
  cudasim::ForgetHostDeviceBytes();
  cudasim::BeginAccount();
  cudasim::OnCallBegin();
}

void cudasimEndCall(CudasimCallAccount* result) {
  using cudasim::ArgumentRole;
  *result = {};
  cudasim::Account& account = cudasim::TheAccount();
  const cudasim::Lock lock(account.mutex);
  if (!account.active) return;
  for (const cudasim::Allocation* const allocation : cudasim::DeviceHeap::Get().Live()) {
    if (allocation->role == ArgumentRole::kInput) cudasim::AddInput(account, *allocation, *result);
    if (allocation->role == ArgumentRole::kOutput) {
      cudasim::AddOutput(account, *allocation, *result);
    }
    if (allocation->managed) cudasim::AccountManagedFree(*allocation);
  }
  cudasim::AddHostData(account, *result);
  cudasim::OnCallEnd();
  account.active = account.counts = false;
  cudasim::EndTimeline();
  cudasim::account_spans.unread = {};
  cudasim::account_spans.marked = {};
  cudasim::account_spans.host_data = {};
}

void cudasimNameHostArgument(const void* begin, std::size_t bytes, int is_output) {
  cudasim::Account& account = cudasim::TheAccount();
  const cudasim::Lock lock(account.mutex);
  if (!account.active) return;
  account.host_data.AddArgument(begin, bytes, is_output != 0);
  cudasim::ShowMarked(account);
}

}  // extern "C"
