#include "common/cudasim/check/past_access.h"

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/shadow_cells.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

// The operation whose kernel had this epoch, unless it happened before `known`.
const StreamOperation* FindUnordered(Epoch epoch, const StreamClock& known) {
  if (checked_grid.grid != nullptr && epoch >= checked_grid.first) return nullptr;  // it runs
  for (const auto& other : Streams::Get().remembered) {
    if (epoch < other->first_epoch || epoch > other->last_epoch) continue;
    return other->Precedes(known) ? nullptr : other.get();
  }
  return nullptr;
}

// True if the access in the cell was atomic for the whole device.
bool WasAtomic(ShadowCell cell) {
  const unsigned code = CodeOf(cell);
  return (cell & kSynchronised) != 0 && !codes.volatiles[code] && !codes.block_scope[code];
}

}  // namespace

PastAccess FindPast(const Shadow& shadow, std::size_t word, unsigned mask, PresentAccess access,
                    const StreamClock& known) {
  for (const ShadowCell cell : Load(shadow, word, 0)) {
    if ((Touched(cell) & mask) == 0 || (!access.writes && (cell & kWrote) == 0)) continue;
    if (access.is_atomic && WasAtomic(cell)) continue;
    if ((cell & (kWrote | kSynchronised)) == kSynchronised) continue;  // polls a flag
    const StreamOperation* const other = FindUnordered(EpochOf(cell), known);
    if (other != nullptr) return {other, cell};
  }
  return {};
}

PastAccess FindPast(const MemoryRange& range, const StreamClock& known) {
  const bool in_heap = DeviceHeap::Contains(range.begin);
  const auto [shadow, begin] = in_heap
                                   ? ShadowPlace{&GlobalShadow(), DeviceHeap::Offset(range.begin)}
                                   : FindVariableShadow(range.begin, range.bytes);
  if (shadow == nullptr) return {};
  const std::size_t end = begin + range.bytes;
  for (std::size_t word = begin / kWordBytes; word * kWordBytes < end; ++word) {
    unsigned mask = kBytes;
    if (word * kWordBytes < begin) mask &= kBytes << (begin - word * kWordBytes);
    if ((word + 1) * kWordBytes > end) mask &= kBytes >> ((word + 1) * kWordBytes - end);
    const PresentAccess access{range.use != MemoryUse::kReads, false};
    const PastAccess past = FindPast(*shadow, word, mask, access, known);
    if (past.operation != nullptr) return past;
  }
  return {};
}

std::string DidAt(ShadowCell cell, const Site& launch) {
  return ((cell & kWrote) != 0 ? "writes at " : "reads at ") +
         Locate(codes.places[CodeOf(cell)], PlaceOf(launch)).ToString();
}

}  // namespace cudasim
