// Accesses to memory that a kernel, or the host, cannot reach.
#pragma once

#include <cstddef>
#include <string>

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/cluster.h"

namespace cudasim {

// A kernel's access to device memory outside any live allocation.
// This and the three below return only if CUDASIM_CONTINUE=1 and the access itself can be survived;
// its effect on memory is undone.
void ReportBadDeviceAccess(const Access& access);

// A kernel's access to shared memory outside any variable.
void ReportBadSharedAccess(const Access& access, const SharedAddress& shared);

// A kernel's write to a __constant__ variable.
void ReportConstantWrite(const Access& access);

// A kernel's access outside device memory, shared memory, variables and its own stack.  Reports it
// unless it is to registered memory, or a read of constant data.
void CheckOtherMemory(const Access& access);

// A kernel's access through a null pointer.
[[noreturn]] void ReportNullAccess(const Access& access);

// The finding for a kernel's read of uninitialised device or shared memory.
Finding DescribeUninitialised(const Access& access);

// Host code accesses device memory.  Reports it unless the memory is managed or pinned.
void ReportHostAccess(const Access& access);

// True if the bytes from an offset of the block's arena lie in one variable.
bool IsInSharedVariable(std::size_t offset, unsigned bytes);

// "index 5 of tile (__shared__, 64 elements, lab.cu:12)" or "index 5 of 1000 in the 4000-byte
// allocation made at lab.cu:30".
std::string DescribeMemory(const Access& access);

// The same for an address in the block's shared memory.
std::string DescribeSharedOf(const Block& owner, const Access& access);

// Sets the finding's `variable` and `index` to the same memory.
void NameMemory(const Access& access, Finding& finding);

}  // namespace cudasim
