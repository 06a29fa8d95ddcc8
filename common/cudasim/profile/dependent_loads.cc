#include "common/cudasim/profile/dependent_loads.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "common/cudasim/runtime/scheduler/warp.h"

namespace cudasim {
namespace {

constexpr std::int64_t kMaxElementBytes = 4096;

unsigned FirstLane(std::uint32_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

template <class Visit>
void ForEachLane(std::uint32_t lanes, const Visit& visit) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) visit(FirstLane(rest));
}

template <class Test>
bool AllOf(std::uint32_t lanes, const Test& test) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    if (!test(FirstLane(rest))) return false;
  }
  return true;
}

std::uint32_t StepOf(const LoadHistory& load, const WarpAccess& access, unsigned lane) {
  return static_cast<std::uint32_t>(access.address[lane] - load.address[lane]);
}

struct Steps {
  bool foretold = true;   // in all lanes that have taken a step before
  bool stepped = true;    // all lanes have
  bool common = true;     // all lanes take the same one
  bool geometric = true;  // half or twice the lane's last one
  std::uint32_t first = 0;
};

// Notes the steps of the lanes in `known`, which have run the load before.
Steps Advance(LoadHistory& load, const WarpAccess& access, std::uint32_t known) {
  Steps steps;
  steps.first = StepOf(load, access, FirstLane(known));
  steps.stepped = (known & ~load.stepped) == 0;
  ForEachLane(known, [&](unsigned lane) {
    const std::uint32_t step = StepOf(load, access, lane);
    const std::uint32_t last = load.last_step[lane];
    const bool had_stepped = (load.stepped >> lane & 1) != 0;
    steps.common = steps.common && step == steps.first;
    steps.foretold = steps.foretold && (!had_stepped || step == load.step[lane]);
    steps.geometric = steps.geometric && had_stepped && (step == 2 * last || last == 2 * step);
    if (!had_stepped || step == last) load.step[lane] = step;
    load.last_step[lane] = step;
    const std::uint32_t bit = std::uint32_t{1} << lane;
    load.steady = step == load.step[lane] ? load.steady | bit : load.steady & ~bit;
  });
  return steps;
}

// The usual case of a loop: all lanes take the foretold step.
bool GoesOn(const LoadHistory& load, const WarpAccess& access) {
  if ((access.active & ~load.steady) != 0) return false;
  if (access.active != kAllLanes) {
    return AllOf(access.active,
                 [&](unsigned lane) { return StepOf(load, access, lane) == load.step[lane]; });
  }
  std::uint32_t differing = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    differing |= StepOf(load, access, lane) ^ load.step[lane];
  }
  return differing == 0;
}

// True if the addresses follow from those of the warp's earlier requests.
bool IsRegular(LoadHistory& load, const WarpAccess& access) {
  const std::uint32_t known = access.active & load.seen;
  if (known == 0) return true;
  const Steps steps = Advance(load, access, known);
  if (!steps.common) return steps.stepped && steps.foretold;
  // Lanes in step: a loop around the loop, a tree's levels.
  if (steps.foretold || steps.first == 0) return true;
  if (steps.geometric && !std::has_single_bit(known)) return true;
  const bool is_new = load.deviated && steps.first != load.deviation;
  load.deviated = true;
  load.deviation = steps.first;
  return !is_new;
}

// True if neighbouring lanes are the same distance apart.
bool IsAffine(const WarpAccess& access) {
  if (access.active == kAllLanes) return HasOneStride(access);
  const unsigned first = FirstLane(access.active);
  const std::uint32_t rest = access.active & (access.active - 1);
  if (rest == 0) return true;
  const unsigned second = FirstLane(rest);
  const std::uint64_t across = access.address[second] - access.address[first];
  return AllOf(rest, [&](unsigned lane) {
    const std::uint64_t distance = access.address[lane] - access.address[first];
    return distance * (second - first) == across * (lane - first);
  });
}

template <class Value>
std::int64_t ReadAs(std::uint64_t address) {
  Value value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return static_cast<std::int64_t>(value);
}

// What the lane read last with the load, as far as it may be an index or a pointer.
std::int64_t ValueOf(const LoadHistory& load, unsigned lane) {
  const std::uint64_t address = load.address[lane];
  if (load.bytes == 2) return ReadAs<std::uint16_t>(address);
  if (load.bytes < 4) return ReadAs<std::uint8_t>(address);
  return load.bytes == 8 ? ReadAs<std::int64_t>(address) : ReadAs<std::int32_t>(address);
}

// True if address = base + size * value in all lanes, which do not all have one address.
bool IsLinear(const WarpAccess& access, const LoadHistory& source) {
  const unsigned first = FirstLane(access.active);
  const std::int64_t base = ValueOf(source, first);
  const auto distance = [&](unsigned lane) {
    return static_cast<std::int64_t>(access.address[lane] - access.address[first]);
  };
  const auto apart = [&](unsigned lane) { return ValueOf(source, lane) - base; };
  std::int64_t size = 0;
  return AllOf(access.active & (access.active - 1), [&](unsigned lane) {
    const std::int64_t values = apart(lane);
    if (values == 0) return distance(lane) == 0;
    if (size == 0) {
      size = distance(lane) / values;
      if (size < 1 || size > kMaxElementBytes) return false;
    }
    return values * size == distance(lane);
  });
}

bool HasOneAddress(const WarpAccess& access) {
  const std::uint64_t address = access.address[FirstLane(access.active)];
  return AllOf(access.active, [&](unsigned lane) { return access.address[lane] == address; });
}

// Of an access to one address: true if address - size * value is what it was the last time.
bool HasSameBase(LoadHistory& load, unsigned source_id, const LoadHistory& source,
                 const WarpAccess& access) {
  const unsigned lane = FirstLane(access.active);
  const std::uint64_t size = source.bytes == 8 ? 1 : access.bytes;
  const std::uint64_t base =
      access.address[lane] - size * static_cast<std::uint64_t>(ValueOf(source, lane));
  for (unsigned i = 0; i < load.base_count; ++i) {
    LoadHistory::Base& known = load.bases[i];
    if (known.source != source_id) continue;
    const bool same = known.base == base;
    known.base = base;
    return same;
  }
  if (load.base_count < load.bases.size()) load.bases[load.base_count++] = {source_id, base};
  return false;
}

}  // namespace

void LoadWaits::Add(const LoadWaits& other) {
  dependent += other.dependent;
  in_order += other.in_order;
  strided += other.strided;
  grid_strided += other.grid_strided;
  looped += other.looped;
}

void WarpLoads::Begin(std::uint64_t block_threads, std::uint64_t grid_threads) {
  threads_ = {block_threads, grid_threads};
  for (LoadHistory& load : loads_) {
    load.seen = load.stepped = load.steady = 0;
    load.deviated = false;
    load.base_count = 0;
  }
  requests_ = 0;
  AddBarrier();
  dependent_ = {};
  atomics_ = 0;
}

const LoadHistory* WarpLoads::SourceOf(unsigned id, const WarpAccess& access) {
  LoadHistory& load = loads_[id];
  const bool one_address = HasOneAddress(access);
  const LoadHistory* found = nullptr;
  std::array<unsigned, LoadHistory::kSources + 1> considered;
  auto* end = considered.begin();
  const auto consider = [&](unsigned source_id) {
    const LoadHistory& source = loads_[source_id];
    if (found != nullptr || (access.active & ~source.seen) != 0) return;
    if (std::find(considered.begin(), end, source_id) != end) return;
    *end++ = source_id;
    const bool is_source =
        one_address ? HasSameBase(load, source_id, source, access) : IsLinear(access, source);
    if (is_source) found = &source;
  };
  const unsigned count = std::min(requests_, LoadHistory::kSources);
  for (unsigned back = 1; back <= count; ++back) {
    consider(latest_[(requests_ - back) % LoadHistory::kSources]);
  }
  consider(id);
  return found;
}

bool WarpLoads::IsDependent(const LoadHistory& load, const LoadHistory* source, bool is_first,
                            bool shared) const {
  if (source == nullptr) return !is_first;
  return is_first || source == &load || held_[shared ? 1 : 0] > load.order;
}

LoadWaits WarpLoads::AddLoad(unsigned id, const WarpAccess& access, bool shared) {
  if (id >= loads_.size()) loads_.resize(id + 1);
  LoadHistory& load = loads_[id];
  const bool is_round = IsRound(load, access, shared ? 1 : 0);
  load.level = 0;
  load.turn = 1;
  // Its old addresses tell whether it depends on itself, so they are replaced after that.
  if (GoesOn(load, access)) {
    NoteStride(load, access);
  } else {
    const bool is_first = (access.active & load.seen) == 0;
    const bool is_regular = is_first ? IsAffine(access) : IsRegular(load, access);
    if (!is_regular) FindDependence(id, access, is_first, shared);
    if (is_regular) NoteStride(load, access);
    load.stepped |= access.active & load.seen;
    load.seen |= access.active;
  }
  load.bytes = access.bytes;
  load.run = run_;
  load.order = ++order_;
  if (access.active == kAllLanes) {
    std::copy_n(std::begin(access.address), kWarpLanes, load.address.begin());
  } else {
    ForEachLane(access.active, [&](unsigned lane) { load.address[lane] = access.address[lane]; });
  }
  latest_[requests_++ % LoadHistory::kSources] = id;
  if (load.level > 0) held_ = {order_, order_};
  return Wait(load, shared ? 1 : 0, is_round);
}

void WarpLoads::FindDependence(unsigned id, const WarpAccess& access, bool is_first, bool shared) {
  LoadHistory& load = loads_[id];
  const LoadHistory* const source = SourceOf(id, access);
  const bool is_near = source != nullptr && source != &load && source->run == run_;
  load.turn += is_near ? source->turn : 0;
  load.is_strided = is_near && source->is_strided;
  load.is_grid_strided = is_near && source->is_grid_strided;
  if (!IsDependent(load, source, is_first, shared)) return;
  load.level = 1 + (source == nullptr ? linear_ : is_near ? source->level : 0);
  load.turn = std::max(load.turn, load.level);
  if (source != nullptr) linear_ = std::max(linear_, load.level);
}

bool WarpLoads::IsStrided(const LoadHistory& load, const WarpAccess& access,
                          std::uint64_t threads) const {
  const unsigned lane = FirstLane(access.active);
  return (load.stepped >> lane & 1) != 0 && threads > 1 &&
         load.step[lane] == static_cast<std::uint32_t>(threads * access.bytes);
}

void WarpLoads::NoteStride(LoadHistory& load, const WarpAccess& access) const {
  const bool of_block = IsStrided(load, access, threads_[0]);
  load.is_grid_strided = !of_block && IsStrided(load, access, threads_[1]);
  load.is_strided = of_block || load.is_grid_strided;
}

bool WarpLoads::IsRound(const LoadHistory& load, const WarpAccess& access, unsigned space) const {
  return (access.active & load.seen) != 0 && run_ - load.run <= LoadHistory::kLongestRound &&
         fences_[space] < load.order;
}

LoadWaits WarpLoads::Wait(const LoadHistory& load, unsigned space, bool is_round) {
  LoadWaits waits;
  if (load.level > depth_) waits.dependent = load.level - std::exchange(depth_, load.level);
  if (load.turn > turns_[space]) {
    waits.in_order = load.turn - std::exchange(turns_[space], load.turn);
  }
  waits.strided = load.is_strided ? waits.in_order : 0;
  waits.grid_strided = load.is_grid_strided ? waits.in_order : 0;
  waits.looped = is_round ? waits.in_order - std::min(waits.in_order, waits.dependent) : 0;
  dependent_[space] += waits.dependent;
  return waits;
}

}  // namespace cudasim
