// Check mode: memory that the program's host code has from malloc() and new, so that copies over
// its end are noticed.  Memory that other libraries allocate is unknown.
#pragma once

#include <cstddef>

namespace cudasim {

struct HostBlock {
  const char* begin = nullptr;  // null: unknown
  std::size_t bytes = 0;
  const void* made_at = nullptr;  // return address
};

// Thread-safe.  No effect in other modes.
void NoteHostBlock(void* begin, std::size_t bytes, const void* caller);
void ForgetHostBlock(const void* begin);

// The block that contains the address.
HostBlock FindHostBlock(const void* address);

}  // namespace cudasim
