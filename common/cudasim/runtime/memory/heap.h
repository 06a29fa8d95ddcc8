// Device memory: a reserved range of addresses, so that a device pointer is known by its value.
// Pinned host memory lives there too.
//
// Plain mode puts the end of each allocation against a page that faults; check mode looks up every
// access in the table of granules.  Freed memory keeps its addresses for a while, so that its use
// is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/cudasim/runtime/device/device.h"

namespace cudasim {

// Whether an address is that of a null pointer, or of a member or an early element behind one.
// These pages are never mapped.
inline bool IsNull(const void* address) {
  constexpr std::uintptr_t kNullPageBytes = 65536;
  return reinterpret_cast<std::uintptr_t>(address) < kNullPageBytes;
}

// Bytes of device memory: half of the machine's, or CUDASIM_MEMORY_MB.
std::size_t DeviceMemoryBytes();

enum class MemoryKind { kDevice, kManaged, kPinned, kArray };

// What an allocation is to the function under test.
enum class ArgumentRole { kNone, kInput, kOutput };

struct Allocation {
  char* begin = nullptr;
  std::size_t bytes = 0;
  bool managed = false;
  bool pinned = false;  // host memory, which kernels reach too
  bool array = false;   // of cudaMallocArray
  bool freed = false;
  bool by_kernel = false;  // by malloc() in a kernel; the host can neither copy nor free it
  const void* allocated_at = nullptr;  // return addresses in the caller's code
  const void* freed_at = nullptr;
  std::string name;  // for reports, instead of allocated_at; see cudasimNameArgument()
  ArgumentRole role = ArgumentRole::kNone;
  char* pages = nullptr;  // mapped pages, without the guard page; null: allocated in a kernel
  std::size_t page_bytes = 0;

  char* end() const { return begin + bytes; }
  bool Contains(const void* address) const { return address >= begin && address < end(); }
  bool host_may_use() const { return (managed || pinned) && !freed; }
};

class DeviceHeap {
 public:
  static constexpr std::size_t kRangeBytes = kAddressRangeBytes;
  static constexpr std::size_t kGranule = 256;  // no two allocations share one in check mode

  // Thread-safe like all members.  The heap is never destroyed.
  static DeviceHeap& Get();

  // Null if there is no memory.  `bytes` > 0.
  const Allocation* Allocate(std::size_t bytes, MemoryKind kind, const void* caller);

  // The same for malloc() in a kernel of an instrumented library: many small pieces, each followed
  // by a gap.
  const Allocation* AllocateInKernel(std::size_t bytes, const void* caller);

  // False if `pointer` is not the start of a live allocation, made by a kernel if `by_kernel`, else
  // by the host.
  bool Free(void* pointer, const void* caller, bool by_kernel = false);

  // The live or freed allocation that contains the address or, failing that, the nearest one; null
  // if there is none.
  const Allocation* FindNear(const void* address);

  // True if [address, address + bytes) lies in one live allocation.
  bool Holds(const void* address, std::size_t bytes);

  // True if the address lies in live pinned memory.
  bool IsPinned(const void* address);

  // True for any address in the reserved range.
  static bool Contains(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) - range_begin < kRangeBytes;
  }
  static std::size_t Offset(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) - range_begin;
  }

  static char* Begin() { return reinterpret_cast<char*>(range_begin); }

  // Check mode: the allocation of the granule with this offset / kGranule, or null.
  const Allocation* GranuleOwner(std::size_t granule) const { return owners_[granule]; }

  // The host's live allocations in the order of their addresses.
  std::vector<const Allocation*> Live();

  // No effect unless `pointer` is the start of a live allocation.  kNone leaves the role as it is.
  void Name(const void* pointer, const std::string& name, ArgumentRole role);

  void FreeAll(const void* caller);

  std::size_t used_bytes();

 private:
  DeviceHeap();
  char* TakePages(std::size_t bytes);
  char* TakePiece(std::size_t bytes);
  void Release(Allocation& allocation);

  static std::uintptr_t range_begin;

  std::mutex mutex_;
  std::map<const char*, std::unique_ptr<Allocation>> allocations_;
  std::deque<const char*> freed_;               // oldest first
  std::multimap<std::size_t, char*> reusable_;  // page ranges by size
  const Allocation** owners_ = nullptr;
  char* pieces_ = nullptr;  // unused rest of the pages for kernels' malloc()
  char* pieces_end_ = nullptr;
  std::size_t top_ = 0;
  std::size_t used_ = 0;
};

}  // namespace cudasim
