#include "common/cudasim/check/bad_access.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/cudasim/check/host_memory.h"
#include "common/cudasim/check/launch_findings.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/survive.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

constexpr std::size_t kPlaceBytes = 128;  // shared variables begin at multiples of it

// The variable at an offset of the arena.  The table is built at the first call, when all variables
// have been registered.
const PlacedVariable* OwnerOf(std::size_t offset) {
  static const std::vector<const PlacedVariable*> owners = [] {
    std::vector<const PlacedVariable*> table(shared_static_end / kPlaceBytes + 1, nullptr);
    for (const PlacedVariable& placed : SharedVariables()) {
      std::fill(table.begin() + static_cast<std::ptrdiff_t>(placed.offset / kPlaceBytes),
                table.end(), &placed);
    }
    return table;
  }();
  return owners[offset / kPlaceBytes];
}

// "kernel K, lab.cu:7: write of 4 bytes"
std::string Begin(const Access& access) {
  return DescribeKernel() + ", " + Locate(access.pc).ToString() + ": " + Verb(access) + " of " +
         Bytes(access.bytes);
}

FoundAccess AccessNow(const Access& access) {
  return {Verb(access), Locate(access.pc), ToString(threadIdx), ToString(blockIdx)};
}

// Reports each place once in a launch, and counts it again: a loop may leave an array at many
// indices.
void ReportInKernel(const Access& access, Kind kind, const std::string& what) {
  if (CountedAgain(*launch_findings.bad_accesses, access.pc)) return;
  Finding finding{kind,
                  Begin(access) + " " + what,
                  {DescribeCurrentThread(), DescribeLaunch()},
                  {AccessNow(access)}};
  NameMemory(access, finding);
  launch_findings.bad_accesses->emplace(access.pc, Report(finding));
}

// "index 1000 of an array of 1000": in elements of the access's own size.
std::string DescribeIndex(std::ptrdiff_t offset, std::size_t size, unsigned element) {
  const auto width = static_cast<std::ptrdiff_t>(element);
  const std::ptrdiff_t index = offset >= 0 ? offset / width : -((-offset + width - 1) / width);
  return "index " + std::to_string(index) + " of an array of " + std::to_string(size / element);
}

std::string DescribeShared(const PlacedVariable& placed, std::size_t offset) {
  const SharedVariable& v = placed.variable;
  const std::size_t count = v.bytes / v.element_bytes;
  return "index " + std::to_string((offset - placed.offset) / v.element_bytes) + " of " + v.name +
         " (__shared__, " + std::to_string(count) + (count == 1 ? " element, " : " elements, ") +
         v.file + ":" + std::to_string(v.line) + ")";
}

std::string DescribeVariable(const Access& access) {
  const Symbol symbol = FindVariable(access.address);
  const std::string kind = IsConstantVariable(access.address, 1)  ? "__constant__"
                           : IsManagedVariable(access.address, 1) ? "__managed__"
                                                                  : "__device__";
  if (symbol.name.empty()) return "a " + kind + " variable";
  return "index " + std::to_string(symbol.offset / access.bytes) + " of " + symbol.name + " (" +
         kind + ")";
}

std::string DescribeDynamic(std::size_t offset, unsigned element) {
  return "index " + std::to_string((offset - shared_static_end) / element) +
         " of the dynamic shared memory of " + Bytes(checked_grid.grid->dynamic_bytes);
}

// " of block (1, 0, 0)", if it is not the running one.
std::string OfOtherBlock(const Block& owner) {
  return &owner == CurrentBlock() ? "" : " of block " + ToString(owner.index);
}

}  // namespace

std::string DescribeSharedOf(const Block& owner, const Access& access) {
  const auto offset = static_cast<std::size_t>(access.address - owner.arena);
  const PlacedVariable* const nearest = NearestSharedVariable(offset);
  return (offset >= shared_static_end ? DescribeDynamic(offset, access.bytes)
          : nearest != nullptr        ? DescribeShared(*nearest, offset)
                                      : "shared memory") +
         OfOtherBlock(owner);
}

std::string DescribeMemory(const Access& access) {
  if (const SharedAddress shared = FindShared(access.address); shared.owner != nullptr) {
    return DescribeSharedOf(*shared.owner, access);
  }
  if (!DeviceHeap::Contains(access.address)) return DescribeVariable(access);
  const Allocation* const near = DeviceHeap::Get().FindNear(access.address);
  if (near == nullptr) return "device memory";
  const auto offset = static_cast<std::size_t>(access.address - near->begin);
  return "index " + std::to_string(offset / access.bytes) + " of " +
         std::to_string(near->bytes / access.bytes) + " in " + Describe(*near);
}

void NameMemory(const Access& access, Finding& finding) {
  const SharedAddress shared = FindShared(access.address);
  if (shared.owner != nullptr && shared.offset >= shared_static_end) {
    finding.variable = "dynamic shared memory";
    finding.index = static_cast<long long>((shared.offset - shared_static_end) / access.bytes);
  } else if (shared.owner != nullptr) {
    const PlacedVariable* const nearest = NearestSharedVariable(shared.offset);
    if (nearest == nullptr) return;
    finding.variable = nearest->variable.name;
    finding.index =
        static_cast<long long>((shared.offset - nearest->offset) / nearest->variable.element_bytes);
  } else if (DeviceHeap::Contains(access.address)) {
    const Allocation* const near = DeviceHeap::Get().FindNear(access.address);
    if (near == nullptr) return;
    finding.variable = Describe(*near);
    finding.index =
        access.address >= near->begin ? (access.address - near->begin) / access.bytes : -1;
  } else if (IsDeviceVariable(access.address, access.bytes)) {
    const Symbol symbol = FindVariable(access.address);
    finding.variable = symbol.name;
    finding.index = static_cast<long long>(symbol.offset / access.bytes);
  }
}

void ReportBadDeviceAccess(const Access& access) {
  const Allocation* const near = DeviceHeap::Get().FindNear(access.address);
  if (near == nullptr) {
    ReportInKernel(access, "out_of_bounds", "of device memory that was never allocated");
    SurviveOrEndLaunch(access);
    return;
  }
  const std::ptrdiff_t offset = access.address - near->begin;
  const std::string index = DescribeIndex(offset, near->bytes, access.bytes);
  if (near->freed && near->Contains(access.address)) {
    ReportInKernel(access, "use_after_free", "at " + index + ": in " + Describe(*near));
  } else {
    ReportInKernel(access, "out_of_bounds",
                   "at " + index + ": " + DescribeOffset(*near, access.address, access.bytes));
  }
  SurviveOrEndLaunch(access);
}

Finding DescribeUninitialised(const Access& access) {
  Finding finding{"uninitialised_read",
                  Begin(access) + " that nothing has written",
                  {DescribeCurrentThread(), "memory: " + DescribeMemory(access), DescribeLaunch(),
                   DeviceHeap::Contains(access.address)
                       ? "cudaMalloc leaves memory as it is: copy, cudaMemset or write it first"
                       : "shared memory holds nothing when a block begins"},
                  {AccessNow(access)}};
  NameMemory(access, finding);
  return finding;
}

bool IsInSharedVariable(std::size_t offset, unsigned bytes) {
  if (offset >= shared_static_end) {
    return offset + bytes <= shared_static_end + checked_grid.grid->dynamic_bytes;
  }
  const PlacedVariable* const owner = OwnerOf(offset);
  return owner != nullptr && offset >= owner->offset &&
         offset + bytes <= owner->offset + owner->variable.bytes;
}

void ReportBadSharedAccess(const Access& access, const SharedAddress& shared) {
  const std::size_t offset = shared.offset;
  const PlacedVariable* const nearest = NearestSharedVariable(offset);
  std::string what = "of shared memory at ";
  if (offset >= shared_static_end) {
    what += DescribeDynamic(offset, access.bytes) + OfOtherBlock(*shared.owner) +
            " that the launch asked for";
  } else if (nearest != nullptr) {
    what += DescribeShared(*nearest, offset) + OfOtherBlock(*shared.owner);
  } else {
    what += "an address in front of every variable";
  }
  ReportInKernel(access, "out_of_bounds", what);
  SurviveOrEndLaunch(access);
}

void ReportNullAccess(const Access& access) {
  ReportInKernel(access, "null_pointer", "through a null pointer");
  EndLaunch();
}

void ReportConstantWrite(const Access& access) {
  ReportInKernel(access, "out_of_bounds", "to __constant__ memory, which kernels only read");
  SurviveOrEndLaunch(access);
}

void CheckOtherMemory(const Access& access) {
  if (IsRegister(access.address) || IsRegisteredMemory(access.address, access.bytes)) return;
  if (!access.writes() && IsReadOnlyData(access.address)) return;
  if (IsFiberStack(access.address)) {
    ReportInKernel(access, "out_of_bounds", "of another thread's local variables");
  } else if (Worker::Current().HasArenaWith(access.address)) {
    ReportInKernel(access, "out_of_bounds", "of shared memory of a block of another cluster");
  } else {
    ReportInKernel(
        access, "host_pointer",
        "through " + DescribeHostPointer(access.address) + ": kernels reach device memory only");
  }
  SurviveOrEndLaunch(access);
}

void ReportHostAccess(const Access& access) {
  const Allocation* const near = DeviceHeap::Get().FindNear(access.address);
  const bool inside = near != nullptr && near->Contains(access.address);
  if (inside && near->host_may_use()) return;
  Report({"device_pointer_on_host",
          "host code at " + Locate(access.pc).ToString() + ": " + Verb(access) + " of " +
              Bytes(access.bytes) + " through a device pointer" +
              (near ? ", " + DescribeOffset(*near, access.address, access.bytes) : ""),
          {"copy with cudaMemcpy; host code cannot reach device memory"}});
}

}  // namespace cudasim
