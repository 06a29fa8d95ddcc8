#include "common/cudasim/instrument/call_account.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/instrument/account.h"
#include "common/cudasim/instrument/outside_kernel.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {

AccountSpans account_spans;

namespace {

// Bytes up to which the source line is left out: the first lookup takes a tenth of a second.
constexpr std::uint64_t kNegligible = 16;

void FindUnread(const Account& account) {
  std::uintptr_t begin = ~std::uintptr_t{0};
  std::uintptr_t end = 0;
  for (const Account::Input& input : account.inputs) {
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

// The host can write such an output unseen, in code that is not instrumented: until a kernel or a
// copy from the device has written a byte, the byte is the host's.
void MarkHostVisible(Account& account, const Allocation& output) {
  if (output.role != ArgumentRole::kOutput || !output.host_may_use()) return;
  account.heap.Set(DeviceHeap::Offset(output.begin), output.bytes,
                   AddOperation(account, {"stores of the host", nullptr, 0}));
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

void AddInput(const Account& account, const Allocation& allocation, CudasimCallAccount& sum) {
  ++sum.inputs;
  for (const Account::Input& input : account.inputs) {
    if (input.span.Contains(DeviceHeap::Offset(allocation.begin)) && input.is_read) return;
  }
  ++sum.unread_inputs;
}

}  // namespace

void AccountRead(std::uintptr_t offset, std::size_t bytes) {
  const OutsideKernel outside;
  Account& account = TheAccount();
  bool found = false;
  for (Account::Input& input : account.inputs) {
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

void AccountVariableWrite(const char* address, std::size_t bytes) {
  const OutsideKernel outside;
  Account& account = TheAccount();
  if (account.variables.marked().bytes == 0) return;
  account.variables.Clear(static_cast<std::size_t>(address - DeviceVariables().begin), bytes);
}

void AccountFree(const char* begin, std::size_t bytes) {
  TheAccount().heap.Clear(DeviceHeap::Offset(begin), bytes);
}

std::uint64_t HostDeviceBytes() { return TheAccount().host_device_bytes; }

std::uint64_t Allocations() { return TheAccount().allocations; }

void CountAllocation() {
  Account& account = TheAccount();
  if (account.counts) ++account.allocations;
}

void ForgetHostDeviceBytes() {
  TheAccount().host_device_bytes = 0;
  TheAccount().allocations = 0;
  TheAccount().counts = true;
}

// What was copied to it until now prepared the argument, and does not belong to the call.
void OnNameArgument(const Allocation& allocation) {
  Account& account = TheAccount();
  const Account::Lock lock(account.mutex);
  if (!account.active) return;
  account.heap.Clear(DeviceHeap::Offset(allocation.begin), allocation.bytes);
  if (account.allocations > 0) --account.allocations;
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
  const Account::Lock lock(account.mutex);
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

void simulatorBeginCall() {
  cudasim::ForgetCallsMade();
  cudasim::BeginCallPath();
  cudasim::BeginTimeline();
  cudasim::ForgetHostDeviceBytes();
  cudasim::BeginAccount();
  cudasim::OnCallBegin();
}

void simulatorEndCall(CudasimCallAccount* result) {
  using cudasim::ArgumentRole;
  *result = {};
  cudasim::Account& account = cudasim::TheAccount();
  const cudasim::Account::Lock lock(account.mutex);
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
  const cudasim::Account::Lock lock(account.mutex);
  if (!account.active) return;
  account.host_data.AddArgument(begin, bytes, is_output != 0);
  cudasim::ShowMarked(account);
}

}  // extern "C"
