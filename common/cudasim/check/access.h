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

// Of one scalar or vector, at most 16 bytes.  Reports what is wrong with it; may not return.
void OnAccess(const Access& access);

// The same, whatever it is; slow.  `uses_value`: what the memory held decides what happens, so it
// must have been initialised.
void OnAnyAccess(char* address, const void* pc, unsigned bytes, Operation operation,
                 bool synchronises, bool uses_value);

// Plain ones of 1, 2, 4, 8 or 16 bytes, by the host or in a kernel.
void OnPlainRead(char* address, const void* pc, unsigned bytes);
void OnPlainWrite(char* address, const void* pc, unsigned bytes);

// Of any number of bytes: memcpy, memset.  They may cover uninitialised bytes.
void OnRange(char* address, std::size_t bytes, Operation operation, const void* pc);

// Of a struct that is no vector.  Some of its bytes may be uninitialised, not all.
void OnStruct(char* address, std::size_t bytes, Operation operation, const void* pc);

}  // namespace cudasim
