// Every instrumented memory access comes here.
#pragma once

#include <cstddef>

#include "common/cudasim/instrument/access.h"

namespace cudasim {

// Of one scalar or vector, at most 16 bytes.  Reports what is wrong with it; may not return.
void OnAccess(const Access& access);

// Of any number of bytes: struct copies, memcpy, memset.
void OnRange(char* address, std::size_t bytes, Operation operation, const void* pc);

// After OnAccess, for operations that programs spin on: lets others run after some in a row.
void NoticePolling(const void* address);

}  // namespace cudasim
