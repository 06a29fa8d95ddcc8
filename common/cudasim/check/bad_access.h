// Accesses to memory that a kernel, or the host, cannot reach.
#pragma once

#include <string>

#include "common/cudasim/check/access.h"
#include "common/cudasim/runtime/diagnostics/report.h"

namespace cudasim {

// A kernel's access to device memory outside any live allocation.
[[noreturn]] void ReportBadDeviceAccess(const Access& access);

// A kernel's access to its block's arena outside any variable; `offset` in the arena.
[[noreturn]] void ReportBadSharedAccess(const Access& access, std::size_t offset);

// A kernel's access outside device memory, shared memory and its own stack: constants and device
// variables are fine, anything else is reported.
void CheckOtherMemory(const Access& access);

// A kernel reads device or shared memory that nobody has written.
Finding DescribeUninitialised(const Access& access);

// Host code touches device memory; managed memory is fine.
void ReportHostAccess(const Access& access);

// "index 5 of tile (__shared__, 64 elements, lab.cu:12)" or "index 5 of 1000 in the 4000-byte
// allocation made at lab.cu:30".
std::string DescribeMemory(const Access& access);

// The same as fields of the finding.
void NameMemory(const Access& access, Finding& finding);

}  // namespace cudasim
