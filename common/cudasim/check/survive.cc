#include "common/cudasim/check/survive.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "common/cudasim/check/state.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/page.h"
#include "common/cudasim/runtime/memory/rounding.h"

namespace cudasim {

constinit InvalidWrite invalid_write;
namespace {

// The kernel copies the bytes, and fails where this process would fault.
bool IsMapped(const void* address, unsigned bytes) {
  static int ends[2] = {-1, -1};
  static const bool made = pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0;
  if (!made) return false;
  char copy[kMaxInvalidBytes];
  const ssize_t written = write(ends[1], address, bytes);
  if (written > 0 && read(ends[0], copy, static_cast<std::size_t>(written)) != written)
    return false;
  return written == static_cast<ssize_t>(bytes);
}

// Device memory that belongs to no allocation is not mapped.
bool MapDeviceMemory(char* address, unsigned bytes) {
  if (!DeviceHeap::Contains(address) || !DeviceHeap::Contains(address + bytes - 1)) return false;
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t begin = RoundDown(first, PageBytes());
  const std::uintptr_t end = RoundUp(first + bytes, PageBytes());
  return mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE) == 0;
}

}  // namespace

void SurviveOrEndLaunch(const Access& access) {
  UndoInvalidWrite();
  if (!ContinueSetting() || access.bytes > kMaxInvalidBytes) EndLaunch();
  if (!IsMapped(access.address, access.bytes) && !MapDeviceMemory(access.address, access.bytes)) {
    EndLaunch();
  }
  if (!access.writes()) return;
  invalid_write.address = access.address;
  invalid_write.bytes = access.bytes;
  std::memcpy(invalid_write.overwritten, access.address, access.bytes);
}

void UndoInvalidWrite() {
  if (invalid_write.bytes == 0) return;
  std::memcpy(invalid_write.address, invalid_write.overwritten, invalid_write.bytes);
  invalid_write.bytes = 0;
}

}  // namespace cudasim
