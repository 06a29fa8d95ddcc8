#include "common/cudasim/runtime/memory/host_blocks.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "common/cudasim/hooks/mode.h"

namespace cudasim {
namespace {

// `new` would note the table's own memory.
template <class T>
struct MallocAllocator {
  using value_type = T;
  MallocAllocator() = default;
  template <class U>
  explicit MallocAllocator(const MallocAllocator<U>&) {}
  T* allocate(std::size_t count) {
    void* const memory = std::malloc(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  bool operator==(const MallocAllocator&) const { return true; }
};

struct HostBlocks {
  std::mutex mutex;
  std::map<const char*, HostBlock, std::less<>,
           MallocAllocator<std::pair<const char* const, HostBlock>>>
      blocks;
};

// Never destroyed: destructors of static objects free memory, too.
HostBlocks& AllBlocks() {
  alignas(HostBlocks) static char memory[sizeof(HostBlocks)];
  static auto* const blocks = new (memory) HostBlocks;
  return *blocks;
}

}  // namespace

void NoteHostBlock(void* begin, std::size_t bytes, const void* caller) {
  if (!kCheckMode || begin == nullptr) return;
  const auto* const at = static_cast<const char*>(begin);
  HostBlocks& all = AllBlocks();
  const std::lock_guard lock(all.mutex);
  all.blocks[at] = {at, bytes, caller};
}

void ForgetHostBlock(const void* begin) {
  if (!kCheckMode || begin == nullptr) return;
  HostBlocks& all = AllBlocks();
  const std::lock_guard lock(all.mutex);
  all.blocks.erase(static_cast<const char*>(begin));
}

HostBlock FindHostBlock(const void* address) {
  if (!kCheckMode) return {};
  const auto* const at = static_cast<const char*>(address);
  HostBlocks& all = AllBlocks();
  const std::lock_guard lock(all.mutex);
  auto after = all.blocks.upper_bound(at);
  if (after == all.blocks.begin()) return {};
  const HostBlock& block = (--after)->second;
  return at < block.begin + block.bytes ? block : HostBlock{};
}

}  // namespace cudasim
