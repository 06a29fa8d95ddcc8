// Feeds HostData: what the call's arguments hold, what kernels read and what they wrote.
#include <algorithm>
#include <cstdio>
#include <string>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/instrument/account.h"
#include "common/cudasim/instrument/outside_kernel.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {

void NoteHostData(Account& account, const Allocation& argument) {
  if (argument.host_may_use()) {
    account.host_data.AddArgument(argument.begin, argument.bytes, false);
  } else if (argument.role == ArgumentRole::kInput) {
    account.host_data.AddDeviceInput();
  }
}

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

// What the host stored to managed memory has marks; see AccountHostData().
void AccountHostMemory(const Access& access, bool is_managed, std::size_t moved) {
  const OutsideKernel outside;
  Account& account = TheAccount();
  CountMoved(account, moved);
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

}  // namespace cudasim
