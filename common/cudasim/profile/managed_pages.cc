#include "common/cudasim/profile/managed_pages.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/rounding.h"
#include "common/cudasim/runtime/streams/machine.h"

namespace cudasim {
namespace {

// A page is known by the address of its first byte; pages begin where their allocation does.
struct Pages {
  std::mutex mutex;
  std::unordered_set<const char*> on_device;
  const char* latest = nullptr;  // the page touched last, which needs no search
  bool latest_on_device = false;
};

Pages& ThePages() {
  static auto* const pages = new Pages;  // never destroyed: destructors may still access memory
  return *pages;
}

const char* PageOf(const Allocation& memory, const char* address) {
  const auto offset = static_cast<std::size_t>(address - memory.begin);
  return memory.begin + RoundDown(offset, machine::kPageBytes);
}

// True if it was on the other side.
bool Move(Pages& pages, const char* page, bool to_device) {
  if (page == pages.latest && pages.latest_on_device == to_device) return false;
  const bool moved =
      to_device ? pages.on_device.insert(page).second : pages.on_device.erase(page) > 0;
  pages.latest = page;
  pages.latest_on_device = to_device;
  return moved;
}

}  // namespace

bool TouchPage(const Allocation& memory, const char* address, bool by_device) {
  Pages& pages = ThePages();
  const std::lock_guard lock(pages.mutex);
  return Move(pages, PageOf(memory, address), by_device);
}

std::uint64_t MovePages(const Allocation& memory, const char* begin, std::size_t bytes,
                        bool to_device) {
  Pages& pages = ThePages();
  const std::lock_guard lock(pages.mutex);
  const char* const end = std::min<const char*>(begin + bytes, memory.end());
  std::uint64_t moved = 0;
  for (const char* page = PageOf(memory, begin); page < end; page += machine::kPageBytes) {
    if (Move(pages, page, to_device)) ++moved;
  }
  return moved;
}

void ForgetPages(const Allocation& memory) { MovePages(memory, memory.begin, memory.bytes, false); }

}  // namespace cudasim
