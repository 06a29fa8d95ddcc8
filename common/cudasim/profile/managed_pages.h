// Where the pages of managed memory are: on the host, where they begin, or on the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudasim {

struct Allocation;

// An access by the device or the host: true if it is a page fault, which moves the page.
bool TouchPage(const Allocation& memory, const char* address, bool by_device);

// Moves the pages that the range touches; returns how many were on the other side.
std::uint64_t MovePages(const Allocation& memory, const char* begin, std::size_t bytes,
                        bool to_device);

// The memory is freed.
void ForgetPages(const Allocation& memory);

}  // namespace cudasim
