// Every instrumented memory access comes here, the common ones by way of on_access.h.
#pragma once

#include <cstddef>

#include "common/cudasim/instrument/access.h"

namespace cudasim {

// What an access does, in the words of reports.
inline const char* Verb(const Access& access) {
  if (access.operation == Operation::kRead) return "read";
  return access.operation == Operation::kWrite ? "write" : "atomic update";
}

// An access to one scalar or vector, at most 16 bytes.  Reports what is wrong with it; may not
// return.
void OnAccess(const Access& access);

// An atomic or volatile access.  `uses_value`: the result depends on the value in memory, which
// must therefore be initialised.
void OnStrongAccess(const Access& access, bool uses_value);

// Plain accesses of 1, 2, 4, 8 or 16 bytes, by the host or in a kernel.
void OnPlainRead(char* address, const void* pc, unsigned bytes);
void OnPlainWrite(char* address, const void* pc, unsigned bytes);

// A texture fetch of a kernel reads an element here.  in_kernel is false.
void OnFetch(const char* address, std::size_t bytes, const void* pc);

// Accesses to any number of bytes, as by memcpy and memset.  The bytes may be uninitialised.
void OnRange(char* address, std::size_t bytes, Operation operation, const void* pc);

// An access to a struct that is no vector.  Some of its bytes may be uninitialised, not all.
void OnStruct(char* address, std::size_t bytes, Operation operation, const void* pc);

}  // namespace cudasim
