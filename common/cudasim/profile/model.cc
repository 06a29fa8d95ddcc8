#include "common/cudasim/profile/model.h"

#include <algorithm>
#include <bit>

namespace cudasim {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kWordBytes = 4;
constexpr unsigned kMaxWords = kWarpLanes * 5;  // 16 bytes that begin inside a word touch five

// The lanes [begin, end).
struct Group {
  unsigned begin;
  unsigned end;
};

// A small set of numbers; a warp has few, mostly in ascending order, so a scan is fastest.
template <unsigned kCapacity>
class SmallSet {
 public:
  bool Insert(std::uint64_t value) {
    if (value <= largest_ &&
        std::find(values_.begin(), values_.begin() + size_, value) != values_.begin() + size_) {
      return false;
    }
    largest_ = std::max(largest_, value);
    values_[size_++] = value;
    return true;
  }
  unsigned size() const { return size_; }

 private:
  std::array<std::uint64_t, kCapacity> values_;
  unsigned size_ = 0;
  std::uint64_t largest_ = 0;
};

// True if the group's lanes access at most one word in each bank.
bool IsFreeOfConflicts(const WarpAccess& access, Group group) {
  std::array<std::uint64_t, kBanks> words;
  std::uint32_t used = 0;  // banks
  for (unsigned lane = group.begin; lane < group.end; ++lane) {
    if (!access.IsActive(lane)) continue;
    const std::uint64_t last = (access.address[lane] + access.bytes - 1) / kWordBytes;
    for (std::uint64_t word = access.address[lane] / kWordBytes; word <= last; ++word) {
      const auto bank = static_cast<unsigned>(word % kBanks);
      if ((used >> bank & 1) != 0 && words[bank] != word) return false;
      used |= 1u << bank;
      words[bank] = word;
    }
  }
  return used != 0;
}

// The largest number of words, or of distinct words, that the group's lanes access in one bank.
unsigned Degree(const WarpAccess& access, Group group, bool distinct) {
  if (distinct && IsFreeOfConflicts(access, group)) return 1;  // the usual case
  SmallSet<kMaxWords> seen;
  std::array<unsigned, kBanks> wanted{};
  unsigned most = 0;
  for (unsigned lane = group.begin; lane < group.end; ++lane) {
    if (!access.IsActive(lane)) continue;
    const std::uint64_t last = (access.address[lane] + access.bytes - 1) / kWordBytes;
    for (std::uint64_t word = access.address[lane] / kWordBytes; word <= last; ++word) {
      if (distinct && !seen.Insert(word)) continue;
      most = std::max(most, ++wanted[word % kBanks]);
    }
  }
  return most;
}

// True if all active lanes of the group have the address of the lane `distance` away.
bool PairsAgree(const WarpAccess& access, Group group, unsigned distance) {
  for (unsigned lane = group.begin; lane < group.end; ++lane) {
    const unsigned other = lane ^ distance;
    if (access.IsActive(lane) && access.IsActive(other) &&
        access.address[lane] != access.address[other]) {
      return false;
    }
  }
  return true;
}

// Adds the cost of two neighbouring groups of a wide access.  A load may serve both at once.
void AddPairOfGroups(const WarpAccess& access, Group both, SharedCost& cost) {
  const unsigned middle = (both.begin + both.end) / 2;
  const unsigned first = Degree(access, {both.begin, middle}, true);
  const unsigned second = Degree(access, {middle, both.end}, true);
  const bool merges = access.operation == Operation::kRead &&
                      (PairsAgree(access, both, 1) || PairsAgree(access, both, 2));
  if (!merges) {
    cost.wavefronts += first + second;
    cost.sass_wavefronts += first + second;
    cost.ideal_wavefronts += (first > 0 ? 1 : 0) + (second > 0 ? 1 : 0);
    return;
  }
  const unsigned degree = Degree(access, both, true);
  cost.wavefronts += degree;
  cost.sass_wavefronts += degree <= 1 ? degree : first + second;
  cost.ideal_wavefronts += degree > 0 ? 1 : 0;
}

SharedCost CountLoadOrStore(const WarpAccess& access) {
  if (access.bytes <= kWordBytes) {
    const unsigned degree = Degree(access, {0, kWarpLanes}, true);
    return {degree, 1, degree};
  }
  SharedCost cost;
  // 8 bytes: two half-warps; more: four quarter-warps, as two pairs.
  const unsigned pair = access.bytes <= 8 ? kWarpLanes : kWarpLanes / 2;
  for (unsigned begin = 0; begin < kWarpLanes; begin += pair) {
    AddPairOfGroups(access, {begin, begin + pair}, cost);
  }
  return cost;
}

// Wavefronts of a loop of load and compare-and-swap: in each round every half-warp tries one lane
// for each bank, and a lane fails if the other half-warp has changed its word in the same round.
unsigned CountSpinningRounds(const WarpAccess& access) {
  constexpr unsigned kHalf = kWarpLanes / 2;
  constexpr unsigned kPasses = 2;  // the load of the old value and the swap
  unsigned wavefronts = 0;
  for (std::uint32_t waiting = access.active; waiting != 0;) {
    SmallSet<kWarpLanes> changed;
    for (unsigned begin = 0; begin < kWarpLanes; begin += kHalf) {
      if ((waiting >> begin & 0xFFFF) == 0) continue;
      wavefronts += kPasses;
      SmallSet<kWarpLanes> banks;
      for (unsigned lane = begin; lane < begin + kHalf; ++lane) {
        if ((waiting >> lane & 1) == 0) continue;
        if (!banks.Insert(access.address[lane] / access.bytes %
                          (kBanks * kWordBytes / access.bytes))) {
          continue;
        }
        if (changed.Insert(access.address[lane])) waiting &= ~(1u << lane);
      }
    }
  }
  return wavefronts;
}

unsigned CountSharedAtomic(const WarpAccess& access) {
  const Group warp{0, kWarpLanes};
  const bool wide = access.bytes > kWordBytes;
  if (access.kind == AtomicKind::kCompareAndSwap) {
    const unsigned degree = wide ? Degree(access, {0, kWarpLanes / 2}, false) +
                                       Degree(access, {kWarpLanes / 2, kWarpLanes}, false)
                                 : Degree(access, warp, false);
    return 2 * degree;
  }
  if (wide || access.kind == AtomicKind::kFloatAdd) return CountSpinningRounds(access);
  // Adding 1 without using the result has an instruction of its own, for which lanes with equal
  // addresses do not conflict.
  const bool counts = access.kind == AtomicKind::kIncrement && !access.result_used;
  return Degree(access, warp, counts);
}

unsigned CountIdealAtomic(const WarpAccess& access) {
  if (access.active == 0) return 0;
  if (access.bytes <= kWordBytes) return access.kind == AtomicKind::kCompareAndSwap ? 2 : 1;
  return 2 * (((access.active & 0xFFFF) != 0 ? 1 : 0) + ((access.active >> 16) != 0 ? 1 : 0));
}

}  // namespace

std::uint64_t LowestAddress(const WarpAccess& access) {
  std::uint64_t lowest = ~std::uint64_t{0};
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
    lowest = std::min(lowest, access.address[static_cast<unsigned>(std::countr_zero(rest))]);
  }
  return lowest;
}

bool HasOneStride(const WarpAccess& access) {
  if (access.active != ~std::uint32_t{0}) return false;
  const std::uint64_t stride = access.address[1] - access.address[0];
  std::uint64_t differing = 0;
  for (unsigned lane = 1; lane < kWarpLanes; ++lane) {
    differing |= (access.address[lane] - access.address[lane - 1]) ^ stride;
  }
  return differing == 0;
}

GlobalCost CountGlobal(const WarpAccess& access) {
  SmallSet<2 * kWarpLanes> sectors;
  SmallSet<2 * kWarpLanes> lines;
  ForEachSector(access, [&](std::uint64_t sector) {
    if (sectors.Insert(sector)) lines.Insert(sector / kLineSectors);
  });
  const auto lanes = static_cast<unsigned>(std::popcount(access.active));
  const unsigned side_by_side = (lanes * access.bytes + kSectorBytes - 1) / kSectorBytes;
  return {sectors.size(), std::min(sectors.size(), side_by_side), lines.size()};
}

SharedCost CountShared(const WarpAccess& access) {
  if (access.operation != Operation::kAtomic) return CountLoadOrStore(access);
  const unsigned wavefronts = CountSharedAtomic(access);
  return {wavefronts, CountIdealAtomic(access), wavefronts};
}

unsigned CountConstant(const WarpAccess& access) {
  SmallSet<kWarpLanes> addresses;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (access.IsActive(lane)) addresses.Insert(access.address[lane]);
  }
  return addresses.size();
}

unsigned MostContended(const WarpAccess& access) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  constexpr unsigned kSlots = 64;  // of a hash table
  std::array<std::uint64_t, kSlots> addresses;
  std::array<unsigned, kSlots> lanes;
  std::uint64_t used = 0;
  unsigned most = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!access.IsActive(lane)) continue;
    const std::uint64_t address = access.address[lane];
    auto slot = static_cast<unsigned>(address * kGolden >> 58);
    while ((used >> slot & 1) != 0 && addresses[slot] != address) slot = (slot + 1) % kSlots;
    if ((used >> slot & 1) == 0) lanes[slot] = 0;
    used |= std::uint64_t{1} << slot;
    addresses[slot] = address;
    most = std::max(most, ++lanes[slot]);
  }
  return most;
}

AtomicPasses PassesOf(const WarpAccess& access) {
  AtomicPasses passes;
  SmallSet<kWarpLanes> found;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!access.IsActive(lane)) continue;
    unsigned earlier = 0;
    for (unsigned other = 0; other < lane; ++other) {
      earlier += access.IsActive(other) && access.address[other] == access.address[lane] ? 1 : 0;
    }
    const std::uint64_t sector = access.address[lane] / kSectorBytes;
    if (found.Insert(sector * kWarpLanes + earlier)) passes.sector[passes.count++] = sector;
  }
  return passes;
}

bool IsCombinable(const WarpAccess& access) {
  switch (access.kind) {
    case AtomicKind::kIncrement:
      return access.bytes >= kWordBytes;
    case AtomicKind::kAdd:
    case AtomicKind::kCombine:
      return access.bytes == kWordBytes;
    default:
      return false;
  }
}

}  // namespace cudasim
