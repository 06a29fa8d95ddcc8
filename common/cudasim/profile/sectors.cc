#include "common/cudasim/profile/sectors.h"

#include <algorithm>

namespace cudasim {

void SectorSet::Touch(std::uint64_t sector, Operation operation, std::uint64_t block) {
  const std::uint64_t number = sector / kPageSectors;
  if (number != last_number_) {
    last_ = &pages_[number];  // addresses of elements are stable
    last_number_ = number;
  }
  const auto bit = static_cast<unsigned>(sector % kPageSectors);
  if (operation != Operation::kWrite && !last_->touched[bit]) ++read_;
  if (operation != Operation::kRead && !last_->written[bit]) {
    ++written_;
    last_->written[bit] = true;
  }
  last_->touched[bit] = true;
  if (operation == Operation::kAtomic) {
    hottest_ = std::max<std::uint64_t>(hottest_, ++last_->atomics[bit]);
  } else if (operation == Operation::kRead) {
    const auto reader = static_cast<std::uint32_t>(block + 1);
    if (last_->reader[bit] != reader) ++loaded_by_blocks_;
    last_->reader[bit] = reader;
  }
}

void SectorSet::Clear() {
  pages_.clear();
  last_ = nullptr;
  last_number_ = ~std::uint64_t{0};
  read_ = written_ = loaded_by_blocks_ = hottest_ = 0;
}

}  // namespace cudasim
