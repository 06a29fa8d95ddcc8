#include "common/cudasim/check/async_copies.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/race_report.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {
namespace {

constexpr unsigned kAllBatches = std::numeric_limits<unsigned>::max();

bool Overlap(const char* a, std::size_t a_bytes, const char* b, std::size_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

// The copy's accesses once more, at the time when it was waited for: what other threads do without
// waiting for this thread races with them.
void Arrive(const PendingCopy& copy) {
  in_kernel = true;
  OnRange(const_cast<char*>(copy.from), copy.bytes, Operation::kRead, copy.pc);
  OnRange(copy.to, copy.bytes, Operation::kWrite, copy.pc);
  in_kernel = false;
}

void TakeBatches(unsigned thread, unsigned end) {
  const std::vector<PendingCopy> arrived = ThisBlock().copies.Take(thread, end);
  if (arrived.empty()) return;
  RefreshNow();
  for (const PendingCopy& copy : arrived) Arrive(copy);
}

}  // namespace

void AsyncCopies::Clear() {
  to_.clear();
  from_.clear();
  owned_.clear();
  batches_.clear();
  longest_ = 0;
}

void AsyncCopies::Add(const PendingCopy& copy) {
  if (const auto same = to_.find(copy.to); same != to_.end()) Forget(PendingCopy(same->second));
  to_.insert_or_assign(copy.to, copy);
  from_.emplace(copy.from, copy.to);
  owned_[copy.owner].push_back(copy.to);
  longest_ = std::max(longest_, copy.bytes);
}

// Leaves it in the list of its owner.
void AsyncCopies::Forget(const PendingCopy& copy) {
  const auto [first, last] = from_.equal_range(copy.from);
  const auto source = std::find_if(first, last, [&](const auto& s) { return s.second == copy.to; });
  if (source != last) from_.erase(source);
  to_.erase(copy.to);
}

const PendingCopy* AsyncCopies::FindConflict(const Access& access) const {
  const char* const begin = access.address;
  const char* const first =
      begin - std::min<std::size_t>(longest_, reinterpret_cast<std::uintptr_t>(begin));
  for (auto i = to_.lower_bound(first); i != to_.end() && i->first < begin + access.bytes; ++i) {
    if (Overlap(i->first, i->second.bytes, begin, access.bytes)) return &i->second;
  }
  if (!access.writes()) return nullptr;
  for (auto i = from_.lower_bound(first); i != from_.end() && i->first < begin + access.bytes;
       ++i) {
    const auto copy = to_.find(i->second);
    if (copy == to_.end() || copy->second.from != i->first) continue;
    if (Overlap(i->first, copy->second.bytes, begin, access.bytes)) return &copy->second;
  }
  return nullptr;
}

std::vector<PendingCopy> AsyncCopies::Take(std::uintptr_t owner, unsigned end) {
  std::vector<PendingCopy> taken;
  const auto list = owned_.find(owner);
  if (list == owned_.end()) return taken;
  std::vector<const char*> rest;
  for (const char* const to : list->second) {
    const auto copy = to_.find(to);
    if (copy == to_.end() || copy->second.owner != owner) continue;
    if (copy->second.batch >= end) {
      rest.push_back(to);
      continue;
    }
    taken.push_back(copy->second);
    Forget(PendingCopy(copy->second));
  }
  list->second = std::move(rest);
  return taken;
}

void CheckAgainstCopies(const Access& access, const AsyncCopies& copies) {
  const PendingCopy* const copy = copies.FindConflict(access);
  if (copy == nullptr) return;
  const bool to = Overlap(copy->to, copy->bytes, access.address, access.bytes);
  ReportRace({access, ThisThreadId(), copy->issued | (to ? kWrote : 0), 0,
              FindShared(access.address).owner != nullptr, true});
}

void CheckCopy(void* to, const void* from, std::size_t bytes, const void* barrier, const void* pc) {
  if (bytes == 0) return;
  char* const source = static_cast<char*>(const_cast<void*>(from));
  OnRange(source, bytes, Operation::kRead, pc);
  OnRange(static_cast<char*>(to), bytes, Operation::kWrite, pc);
  std::memmove(to, from, bytes);
  if (!in_kernel) return;
  in_kernel = false;
  AsyncCopies& copies = ThisBlock().copies;
  const bool was_empty = copies.empty();
  const unsigned thread = ThisThread().in_block;
  const auto owner = barrier == nullptr ? thread : reinterpret_cast<std::uintptr_t>(barrier);
  copies.Add({static_cast<char*>(to), source, bytes,
              running.stamp | ShadowCell{CodeFor(pc)} << kCodeShift, pc, owner,
              copies.Batch(thread)});
  if (was_empty) RefreshNow();
  in_kernel = true;
}

void CommitCopies() {
  if (!in_kernel) return;
  in_kernel = false;
  ThisBlock().copies.Commit(ThisThread().in_block);
  in_kernel = true;
}

void WaitForCopies(unsigned but) {
  if (!in_kernel) return;
  in_kernel = false;
  const unsigned thread = ThisThread().in_block;
  const unsigned open = ThisBlock().copies.Batch(thread);
  if (open > but) TakeBatches(thread, open - but);
  in_kernel = true;
}

void BindCopies(const void* barrier) {
  if (!in_kernel) return;
  in_kernel = false;
  AsyncCopies& copies = ThisBlock().copies;
  for (PendingCopy& copy : copies.Take(ThisThread().in_block, kAllBatches)) {
    copy.owner = reinterpret_cast<std::uintptr_t>(barrier);
    copies.Add(copy);
  }
  in_kernel = true;
}

void CompletePhase(const void* barrier) {
  if (!in_kernel) return;
  in_kernel = false;
  ReleasePhase(barrier);
  AsyncCopies& copies = ThisBlock().copies;
  if (!copies.empty()) {
    copies.Take(reinterpret_cast<std::uintptr_t>(barrier), kAllBatches);
    if (copies.empty()) RefreshNow();
  }
  in_kernel = true;
}

}  // namespace cudasim
