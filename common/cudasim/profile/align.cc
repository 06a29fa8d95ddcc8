#include "common/cudasim/profile/align.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cudasim {
namespace {

struct Heads {
  std::array<const Event*, kWarpLanes> event{};  // the first event of each lane that has one
  std::uint32_t lanes = 0;
};

Heads FirstEvents(const WarpLanes& warp) {
  Heads heads;
  if (warp.events == nullptr) return heads;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    heads.event[lane] = warp.Begin(lane);
    if (heads.event[lane] < warp.end[lane]) heads.lanes |= 1u << lane;
  }
  return heads;
}

// The lanes whose next event comes first.
std::uint32_t NextInstruction(const Heads& heads) {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint32_t group = 0;
  for (std::uint32_t rest = heads.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t order = heads.event[lane]->Order();
    if (order < least) {
      least = order;
      group = 0;
    }
    if (order == least) group |= 1u << lane;
  }
  return group;
}

// Moves the group's lanes to their next events.  True if a lane with a full buffer has none left.
bool Advance(const WarpLanes& warp, std::uint32_t group, Heads& heads) {
  bool exhausted = false;
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (++heads.event[lane] < warp.end[lane]) continue;
    heads.lanes &= ~(1u << lane);
    exhausted = exhausted || (warp.full >> lane & 1) != 0;
  }
  return exhausted;
}

void KeepRest(WarpLanes& warp, const Heads& heads) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    Event* const begin = warp.Begin(lane);
    const auto left = static_cast<std::size_t>(warp.end[lane] - heads.event[lane]);
    if (heads.event[lane] != begin) std::memmove(begin, heads.event[lane], left * sizeof(Event));
    warp.end[lane] = begin + left;
    if (warp.thread[lane] != nullptr) warp.thread[lane]->next = warp.end[lane];
    if (left < WarpLanes::kCapacity && (warp.full >> lane & 1) != 0) {
      warp.full &= ~(1u << lane);
      warp.quiet &= ~(1u << lane);
    }
  }
}

}  // namespace

void AlignLanes(WarpLanes& warp) {
  Heads heads = FirstEvents(warp);
  if (heads.lanes == 0) return;
  for (bool exhausted = false; heads.lanes != 0 && !exhausted;) {
    const std::uint32_t group = NextInstruction(heads);
    OnInstruction(warp, group, heads.event);
    exhausted = Advance(warp, group, heads);
  }
  KeepRest(warp, heads);
}

}  // namespace cudasim
