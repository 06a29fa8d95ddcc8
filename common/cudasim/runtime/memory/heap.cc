#include "common/cudasim/runtime/memory/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/memory/page.h"
#include "common/cudasim/runtime/memory/rounding.h"

namespace cudasim {

// Until the heap exists, no address lies in the range: no program has one this high.
std::uintptr_t DeviceHeap::range_begin = std::uintptr_t{1} << 63;

namespace {

constexpr std::size_t kMaxFreed = 1024;  // freed allocations that are remembered
constexpr std::size_t kMinAlignment = 16;
constexpr std::size_t kMaxAlignment = 256;

// Beyond the guard page check mode leaves room, so that an access far past an end hits no other
// allocation.
std::size_t GapBytes() { return kInstrumented ? 65536 : PageBytes(); }

void* Reserve(std::size_t bytes, int protection) {
  void* const memory =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs(
        "error: cannot reserve addresses for device memory\n"
        "  next: raise the limit on virtual memory (ulimit -v unlimited)\n",
        stderr);
    std::abort();
  }
  return memory;
}

// Plain mode aligns by the size (to 16 to 256 bytes), so that the end meets the guard page; check
// mode as CUDA does, because the counters depend on it.
std::size_t Alignment(std::size_t bytes) {
  if (kInstrumented) return kMaxAlignment;
  return std::clamp(bytes & (~bytes + 1), kMinAlignment, kMaxAlignment);
}

}  // namespace

std::size_t DeviceMemoryBytes() {
  static const std::size_t bytes = [] {
    if (const std::optional<std::size_t> wanted = MemoryBytesSetting()) return *wanted;
    return PhysicalMemoryBytes() / 2;
  }();
  return bytes;
}

DeviceHeap& DeviceHeap::Get() {
  static auto* const heap = new DeviceHeap;
  return *heap;
}

DeviceHeap::DeviceHeap() {
  range_begin = reinterpret_cast<std::uintptr_t>(Reserve(kRangeBytes, PROT_NONE));
  if (kInstrumented) {
    owners_ = static_cast<const Allocation**>(
        Reserve(kRangeBytes / kGranule * sizeof(*owners_), PROT_READ | PROT_WRITE));
  }
}

char* DeviceHeap::TakePages(std::size_t bytes) {
  const auto reusable = reusable_.find(bytes);
  if (reusable != reusable_.end()) {
    char* const pages = reusable->second;
    reusable_.erase(reusable);
    return pages;
  }
  if (top_ + bytes + GapBytes() > kRangeBytes) return nullptr;
  char* const pages = reinterpret_cast<char*>(range_begin) + top_;
  top_ += bytes + GapBytes();
  return pages;
}

const Allocation* DeviceHeap::Allocate(std::size_t bytes, MemoryKind kind, const void* caller) {
  const std::lock_guard lock(mutex_);
  const bool pinned = kind == MemoryKind::kPinned;
  if (!pinned && bytes > DeviceMemoryBytes() - std::min(used_, DeviceMemoryBytes())) return nullptr;
  const std::size_t reserved = RoundUp(bytes, Alignment(bytes));
  const std::size_t page_bytes = RoundUp(reserved, PageBytes());
  char* const pages = TakePages(page_bytes);
  if (pages == nullptr) return nullptr;
  if (mprotect(pages, page_bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
  auto allocation = std::make_unique<Allocation>();
  allocation->begin = pages + (page_bytes - reserved);
  allocation->bytes = bytes;
  allocation->managed = kind == MemoryKind::kManaged;
  allocation->pinned = pinned;
  allocation->array = kind == MemoryKind::kArray;
  allocation->allocated_at = caller;
  allocation->pages = pages;
  allocation->page_bytes = page_bytes;
  if (!pinned) used_ += bytes;
  const Allocation* const result = allocation.get();
  if (kInstrumented) {
    std::fill_n(owners_ + Offset(result->begin) / kGranule, reserved / kGranule, result);
    OnAllocate(*result);
  }
  allocations_[result->begin] = std::move(allocation);
  return result;
}

// Pieces are not reused: a kernel that allocates and frees in a loop is expected to return before
// addresses run out.
char* DeviceHeap::TakePiece(std::size_t bytes) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  const std::size_t reserved = RoundUp(bytes, kGranule) + kGranule;
  if (pieces_ == nullptr || reserved > static_cast<std::size_t>(pieces_end_ - pieces_)) {
    const std::size_t chunk = std::max(kChunk, RoundUp(reserved, PageBytes()));
    pieces_ = TakePages(chunk);
    if (pieces_ == nullptr || mprotect(pieces_, chunk, PROT_READ | PROT_WRITE) != 0) return nullptr;
    pieces_end_ = pieces_ + chunk;
  }
  char* const piece = pieces_;
  pieces_ += reserved;
  return piece;
}

const Allocation* DeviceHeap::AllocateInKernel(std::size_t bytes, const void* caller) {
  const std::lock_guard lock(mutex_);
  char* const piece = TakePiece(bytes);
  if (piece == nullptr) return nullptr;
  auto allocation = std::make_unique<Allocation>();
  allocation->begin = piece;
  allocation->bytes = bytes;
  allocation->by_kernel = true;
  allocation->allocated_at = caller;
  const Allocation* const result = allocation.get();
  if (kInstrumented) {
    std::fill_n(owners_ + Offset(piece) / kGranule, RoundUp(bytes, kGranule) / kGranule, result);
  }
  allocations_[piece] = std::move(allocation);
  return result;
}

// The pages go back to the system at once; the addresses wait until kMaxFreed later frees.
void DeviceHeap::Release(Allocation& allocation) {
  OnFree(allocation);
  mmap(allocation.pages, allocation.page_bytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  freed_.push_back(allocation.begin);
  if (freed_.size() <= kMaxFreed) return;
  const auto oldest = allocations_.find(freed_.front());
  freed_.pop_front();
  const Allocation& old = *oldest->second;
  if (kInstrumented) {
    std::fill_n(owners_ + Offset(old.pages) / kGranule, old.page_bytes / kGranule, nullptr);
  }
  reusable_.emplace(old.page_bytes, old.pages);
  allocations_.erase(oldest);
}

bool DeviceHeap::Free(void* pointer, const void* caller, bool by_kernel) {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(static_cast<const char*>(pointer));
  if (found == allocations_.end() || found->second->freed) return false;
  if (found->second->by_kernel != by_kernel) return false;
  found->second->freed = true;
  found->second->freed_at = caller;
  if (by_kernel) {
    OnFree(*found->second);
    return true;
  }
  if (!found->second->pinned) used_ -= found->second->bytes;
  Release(*found->second);
  return true;
}

const Allocation* DeviceHeap::FindNear(const void* address) {
  const auto* const at = static_cast<const char*>(address);
  const std::lock_guard lock(mutex_);
  const auto next = allocations_.upper_bound(at);
  const Allocation* const above = next == allocations_.end() ? nullptr : next->second.get();
  if (next == allocations_.begin()) return above;
  const Allocation* const below = std::prev(next)->second.get();
  const bool above_is_nearer =
      above != nullptr && at >= below->end() && above->begin - at < at - below->end();
  return above_is_nearer ? above : below;
}

bool DeviceHeap::Holds(const void* address, std::size_t bytes) {
  const Allocation* const near = FindNear(address);
  if (near == nullptr || near->freed || near->by_kernel) return false;
  if (address < near->begin) return false;
  const std::size_t offset = static_cast<const char*>(address) - near->begin;
  return offset <= near->bytes && bytes <= near->bytes - offset;
}

bool DeviceHeap::IsPinned(const void* address) {
  if (!Contains(address)) return false;
  const Allocation* const near = FindNear(address);
  return near != nullptr && near->pinned && !near->freed && near->Contains(address);
}

std::vector<const Allocation*> DeviceHeap::Live() {
  const std::lock_guard lock(mutex_);
  std::vector<const Allocation*> live;
  for (const auto& [begin, allocation] : allocations_) {
    if (!allocation->freed && !allocation->by_kernel) live.push_back(allocation.get());
  }
  return live;
}

void DeviceHeap::Name(const void* pointer, const std::string& name, ArgumentRole role) {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(static_cast<const char*>(pointer));
  if (found == allocations_.end() || found->second->freed) return;
  found->second->name = name;
  found->second->role = role;
}

void DeviceHeap::FreeAll(const void* caller) {
  for (const Allocation* const allocation : Live()) Free(allocation->begin, caller);
}

std::size_t DeviceHeap::used_bytes() {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace cudasim
