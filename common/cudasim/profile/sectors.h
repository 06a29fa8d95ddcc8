// The distinct sectors of global memory that a launch reads and writes.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>

#include "common/cudasim/instrument/access.h"
#include "common/cudasim/profile/model.h"

namespace cudasim {

class SectorSet {
 public:
  void Touch(std::uint64_t sector, Operation operation);
  void Clear();

  // Sectors whose first use was a read, and sectors that were written: the compulsory traffic of a
  // launch, with perfect caches.
  std::uint64_t read() const { return read_; }
  std::uint64_t written() const { return written_; }

 private:
  static constexpr unsigned kPageSectors = 128;
  struct Page {
    std::bitset<kPageSectors> touched;
    std::bitset<kPageSectors> written;
  };

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;  // neighbouring accesses mostly lie in one page
  std::uint64_t read_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace cudasim
