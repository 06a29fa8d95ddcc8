#include "common/cudasim/profile/target.h"

#include <algorithm>
#include <string>

#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/kernel_arguments.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {
namespace {

Target DescribeShared(std::size_t offset) {
  if (offset >= shared_static_end) return {"dynamic shared memory", 0, 0};
  for (const PlacedVariable& placed : SharedVariables()) {
    const SharedVariable& v = placed.variable;
    if (offset >= placed.offset && offset < placed.offset + v.bytes) {
      return {v.name, v.columns, static_cast<unsigned>(v.element_bytes)};
    }
  }
  return {"shared memory", 0, 0};
}

}  // namespace

Target DescribeTarget(std::uint64_t address) {
  auto* const pointer = reinterpret_cast<const char*>(address);
  const auto shared = static_cast<std::size_t>(pointer - shared_arena);
  if (shared < kArenaBytes) return DescribeShared(shared);
  if (!DeviceHeap::Contains(pointer)) return {"a __device__ variable", 0, 0};
  const Allocation* const allocation = DeviceHeap::Get().FindNear(pointer);
  if (allocation == nullptr) return {"device memory", 0, 0};
  const std::string parameter = KernelParameter(allocation->begin, allocation->end(), pointer);
  if (!parameter.empty()) return {parameter, 0, 0};
  return {allocation->name.empty() ? Describe(*allocation) : allocation->name, 0, 0};
}

std::uint64_t OffsetInAllocation(std::uint64_t address) {
  const auto* const pointer = reinterpret_cast<const char*>(address);
  const auto shared = static_cast<std::size_t>(pointer - shared_arena);
  for (const PlacedVariable& placed : SharedVariables()) {
    const std::size_t end = placed.offset + placed.variable.bytes;
    if (shared >= placed.offset && shared < end) return shared - placed.offset;
  }
  if (shared < kArenaBytes) return shared - std::min<std::size_t>(shared, shared_static_end);
  if (!DeviceHeap::Contains(pointer)) return 0;
  const Allocation* const allocation = DeviceHeap::Get().FindNear(pointer);
  if (allocation == nullptr || pointer < allocation->begin) return 0;
  return static_cast<std::uint64_t>(pointer - static_cast<const char*>(allocation->begin));
}

}  // namespace cudasim
