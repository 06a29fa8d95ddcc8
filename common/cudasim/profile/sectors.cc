#include "common/cudasim/profile/sectors.h"

namespace cudasim {

void SectorSet::Touch(std::uint64_t sector, Operation operation) {
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
}

void SectorSet::Clear() {
  pages_.clear();
  last_ = nullptr;
  last_number_ = ~std::uint64_t{0};
  read_ = written_ = 0;
}

}  // namespace cudasim
