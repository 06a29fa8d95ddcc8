#include "common/cudasim/profile/sectors.h"

#include <algorithm>

namespace cudasim {

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

void SectorSet::Touch(std::uint64_t sector, Operation operation, std::uint64_t block) {
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
  }
}

void SectorSet::Clear() {
  pages_.clear();
  last_ = nullptr;
  last_number_ = ~std::uint64_t{0};
  read_ = written_ = touched_ = loaded_by_blocks_ = hottest_ = atomic_ = 0;
}

}  // namespace cudasim
