// Writers of a call's outputs, from the shadow cells: see include/cudasim/writers.h.
#include "common/cudasim/include/cudasim/writers.h"

#include <algorithm>
#include <vector>

#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {
namespace {

// An array of the host, and the cell of the latest write of each word; 0: not known.
struct FetchedArray {
  const char* host;
  std::size_t bytes;
  std::vector<ShadowCell> cells;
};

struct KeptWriters {
  bool is_on = false;
  std::vector<FetchedArray> arrays;
};

KeptWriters& Kept() {
  static auto* const kept = new KeptWriters;
  return *kept;
}

ShadowCell LatestWrite(const Shadow& shadow, std::size_t word) {
  const ShadowCell latest = shadow.latest[word];
  if ((latest & kWrote) != 0) return latest;
  if ((latest & kHasOthers) == 0) return 0;
  ShadowCell found = 0;
  for (const ShadowCell other : shadow.others[word].cells) {
    if ((other & kWrote) != 0 && EpochOf(other) >= EpochOf(found)) found = other;
  }
  return found;
}

void CopyIndex(const uint3& index, unsigned (&to)[3]) {
  to[0] = index.x, to[1] = index.y, to[2] = index.z;
}

}  // namespace
}  // namespace cudasim

extern "C" {

void simulatorKeepWriters() {
  cudasim::Kept().arrays.clear();
  cudasim::Kept().is_on = true;
}

void cudasimFetchWriters(const void* host, const void* device, std::size_t bytes) {
  using namespace cudasim;
  KeptWriters& kept = Kept();
  if (!kept.is_on || !DeviceHeap::Contains(device)) return;
  const std::size_t first = DeviceHeap::Offset(device) / kWordBytes;
  FetchedArray array{static_cast<const char*>(host), bytes, {}};
  array.cells.resize((bytes + kWordBytes - 1) / kWordBytes);
  for (std::size_t word = 0; word < array.cells.size(); ++word) {
    array.cells[word] = LatestWrite(GlobalShadow(), first + word);
  }
  kept.arrays.push_back(std::move(array));
}

bool simulatorWriterOf(const void* host, CudasimWriter* writer) {
  using namespace cudasim;
  const char* const at = static_cast<const char*>(host);
  for (const FetchedArray& array : Kept().arrays) {
    if (at < array.host || at >= array.host + array.bytes) continue;
    const ShadowCell cell = array.cells[static_cast<std::size_t>(at - array.host) / kWordBytes];
    if (cell == 0 || EpochOf(cell) < latest_launch.first) return false;
    CopyIndex(Unflatten(ThreadOf(cell), latest_launch.block_extent), writer->thread);
    CopyIndex(Unflatten(BlockAt(EpochOf(cell)), latest_launch.extent), writer->block);
    return true;
  }
  return false;
}

}  // extern "C"
