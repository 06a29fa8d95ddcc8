#include "common/cudasim/check/uncontested.h"

#include <algorithm>
#include <vector>

#include "common/cudasim/check/family_order.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/host_order.h"
#include "common/cudasim/check/shadow_cells.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/stream_conflict.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {

constinit Uncontested uncontested;
namespace {

constexpr std::size_t kGranules = DeviceHeap::kRangeBytes / DeviceHeap::kGranule;

struct OtherKernel {
  Epoch first;
  Epoch last;
};

// The work that is unordered with the running launch.
struct OtherWork {
  std::vector<MemoryRange> ranges;
  std::vector<OtherKernel> kernels;  // that have run
  Epoch first_epoch = 0;             // the least of them
};

OtherWork& TheOthers() {
  static auto* const others = new OtherWork;
  return *others;
}

std::uint32_t AfterRanges(const char* begin) {
  std::uint32_t may = kMayRead | kMayWrite;
  for (const MemoryRange& range : TheOthers().ranges) {
    if (!Overlap(range, begin, DeviceHeap::kGranule)) continue;
    if (range.use != MemoryUse::kReads) return 0;
    may = kMayRead;
  }
  return may;
}

bool IsOfOthers(ShadowCell cell) {
  const std::vector<OtherKernel>& kernels = TheOthers().kernels;
  return std::any_of(kernels.begin(), kernels.end(),
                     [epoch = EpochOf(cell)](const OtherKernel& kernel) {
                       return epoch >= kernel.first && epoch <= kernel.last;
                     });
}

std::uint32_t AfterKernels(std::size_t granule) {
  constexpr std::size_t kWords = DeviceHeap::kGranule / kWordBytes;
  const Shadow& shadow = GlobalShadow();
  std::uint32_t may = kMayRead | kMayWrite;
  for (std::size_t word = granule * kWords; word < (granule + 1) * kWords; ++word) {
    if (EpochOf(shadow.latest[word]) < TheOthers().first_epoch) continue;
    for (const ShadowCell cell : Load(shadow, word, 0)) {
      if (!IsOfOthers(cell)) continue;
      if ((cell & kWrote) != 0) return 0;
      may = kMayRead;
    }
  }
  return may;
}

}  // namespace

void BeginUncontested() {
  if (uncontested.granules == nullptr) {
    uncontested.granules =
        static_cast<std::uint32_t*>(ReserveBytes(kGranules * sizeof(std::uint32_t)));
  }
  ++uncontested.launch;
  OtherWork& others = TheOthers();
  others = {};
  others.first_epoch = kEpochLimit;
  const Streams& streams = Streams::Get();
  const StreamOperation& self = *streams.running;
  for (const auto& other : streams.remembered) {
    if (other->Precedes(self.clock) || self.Precedes(other->clock)) continue;
    others.ranges.insert(others.ranges.end(), other->ranges.begin(), other->ranges.end());
    if (other.get() == &self || other->last_epoch == 0) continue;
    others.kernels.push_back({other->first_epoch, other->last_epoch});
    others.first_epoch = std::min(others.first_epoch, other->first_epoch);
  }
}

std::uint32_t ExamineGranule(std::size_t granule) {
  const char* const begin = DeviceHeap::Begin() + granule * DeviceHeap::kGranule;
  std::uint32_t may = 0;
  const bool is_of_family = checked_grid.grid->as_child != nullptr || HasUnorderedFamily();
  if (!is_of_family && !HasHostNote(begin, DeviceHeap::kGranule)) {
    may = AfterRanges(begin) & AfterKernels(granule);
  }
  uncontested.granules[granule] = uncontested.launch << 2 | may;
  return may;
}

}  // namespace cudasim
