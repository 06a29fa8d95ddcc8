#include "common/cudasim/profile/sectors.h"

#include <algorithm>

namespace cudasim {
namespace {

// Notes that the warp touches the sector now.
Reuse TouchAt(WarpClock& last, WarpClock& clock) {
  const bool is_same = last.warp == clock.warp;
  const std::uint32_t ago = clock.now - last.now;
  Reuse reuse = Reuse::kNone;
  if (is_same && ago == 0) return Reuse::kAgain;
  if (is_same && ago <= kMiddleSectors) {
    reuse = ago <= kNearSectors ? Reuse::kNear : Reuse::kMiddle;
  } else {
    ++clock.fresh;
  }
  last = clock;
  return reuse;
}

}  // namespace

SectorSet::Page& SectorSet::PageOf(std::uint64_t sector) {
  const std::uint64_t number = sector / kPageSectors;
  if (number != last_number_) {
    last_ = &pages_[number];  // addresses of elements are stable
    last_number_ = number;
  }
  return *last_;
}

void SectorSet::AddAtomicPass(std::uint64_t sector) {
  std::uint32_t& passes = PageOf(sector).atomics[sector % kPageSectors];
  if (++passes == 1) ++atomic_;
  hottest_ = std::max<std::uint64_t>(hottest_, passes);
}

Reuse SectorSet::Touch(std::uint64_t sector, Operation operation, std::uint64_t block,
                       WarpClock& clock) {
  Page& page = PageOf(sector);
  const auto bit = static_cast<unsigned>(sector % kPageSectors);
  if (!page.touched[bit]) {
    page.touched[bit] = true;
    ++touched_;
    if (operation != Operation::kWrite) ++read_;
  }
  if (operation != Operation::kRead && !page.written[bit]) {
    page.written[bit] = true;
    ++written_;
  }
  if (operation == Operation::kRead) {
    const auto reader = static_cast<std::uint32_t>(block + 1);
    if (page.reader[bit] != reader) ++loaded_by_blocks_;
    page.reader[bit] = reader;
    return TouchAt(page.loaded[bit], clock);
  }
  if (operation == Operation::kAtomic) return Reuse::kNone;
  const bool is_other = page.stored[bit].instruction != clock.instruction;
  const Reuse reuse = TouchAt(page.stored[bit], clock);
  return is_other || reuse == Reuse::kAgain ? reuse : Reuse::kNone;
}

void SectorSet::Clear() {
  pages_.clear();
  last_ = nullptr;
  last_number_ = ~std::uint64_t{0};
  read_ = written_ = touched_ = loaded_by_blocks_ = hottest_ = atomic_ = 0;
  warps_ = 0;
}

}  // namespace cudasim
