// The machine's memory: the size of its pages, and how much there is.
#pragma once

#include <unistd.h>

#include <cstddef>

namespace cudasim {

// A power of two: 4 KiB on x86-64, up to 64 KiB on aarch64.
inline std::size_t PageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

inline std::size_t PhysicalMemoryBytes() {
  static const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  return pages * PageBytes();
}

}  // namespace cudasim
