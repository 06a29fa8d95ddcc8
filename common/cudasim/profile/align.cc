#include "common/cudasim/profile/align.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/cudasim/runtime/scheduler/warp.h"

namespace cudasim {
namespace {

struct Heads {
  std::array<const Event*, kWarpLanes> event;  // the first event of each lane that has one
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

// Drops those of the group's lanes that have no next event.  True if one of them has a full buffer.
bool DropEnded(const WarpLanes& warp, std::uint32_t group, Heads& heads) {
  std::uint32_t ended = 0;
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    ended |= (heads.event[lane] == warp.end[lane] ? 1u : 0u) << lane;
  }
  heads.lanes &= ~ended;
  return (ended & warp.full) != 0;
}

void Advance(std::uint32_t group, Heads& heads) {
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    ++heads.event[static_cast<unsigned>(std::countr_zero(rest))];
  }
}

// True if all lanes of the warp come to the same instruction.
bool AreAlike(const Heads& heads) {
  if (heads.lanes != kAllLanes) return false;
  const std::uint64_t order = heads.event[0]->Order();
  std::uint64_t differing = 0;
  for (const Event* const event : heads.event) differing |= event->Order() ^ order;
  return differing == 0;
}

// The usual case: passes on all instructions that the whole warp executes, from one that it does.
void PassTogether(WarpLanes& warp, Heads& heads) {
  std::ptrdiff_t common = WarpLanes::kCapacity;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    common = std::min(common, warp.end[lane] - heads.event[lane]);
  }
  do {
    OnInstruction(warp, kAllLanes, heads.event);
    for (const Event*& event : heads.event) ++event;
  } while (--common > 0 && AreAlike(heads));
}

void KeepRest(WarpLanes& warp, const Heads& heads) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    Event* const begin = warp.Begin(lane);
    const auto left = static_cast<std::size_t>(warp.end[lane] - heads.event[lane]);
    if (left > 0 && heads.event[lane] != begin) {
      std::memmove(begin, heads.event[lane], left * sizeof(Event));
    }
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
    std::uint32_t group = kAllLanes;
    if (AreAlike(heads)) {
      PassTogether(warp, heads);
    } else {
      group = NextInstruction(heads);
      OnInstruction(warp, group, heads.event);
      Advance(group, heads);
    }
    exhausted = DropEnded(warp, group, heads);
  }
  KeepRest(warp, heads);
}

}  // namespace cudasim
