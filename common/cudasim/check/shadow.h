// Shadow memory: for each 4-byte word of device and shared memory the cell of the latest access and
// up to three others that may still race, 32 bytes in all.
//
// The latest cells have an array of their own, so words that threads do not share cost 8 bytes
// each.  The system allocates pages of both arrays when they are first touched.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

constexpr std::size_t kWordBytes = 4;
constexpr unsigned kOthers = 3;

struct Others {
  ShadowCell cells[kOthers];
};
static_assert(sizeof(ShadowCell) + sizeof(Others) == 8 * kWordBytes,
              "the shadow is 8 times the memory it describes");

// The shadow of a range of addresses, by word.
class Shadow {
 public:
  static constexpr std::size_t kChunk = 65536;  // bytes; the granularity of memory accounting

  // Reserves addresses for the shadow of `bytes`.  Aborts with a message if there are none.
  void Reserve(std::size_t bytes);

  // Clears the cells of `count` words and returns their pages to the system.
  void Drop(std::size_t first, std::size_t count);

  // Clears all accesses; which bytes are initialised stays.
  void ForgetAccesses();

  // To be called before the word's latest cell, or its other cells, are first written.  Ends the
  // process with a message if shadow memory would exceed its limit.
  void Count(std::size_t word) {
    if (!latest_used_[word * sizeof(ShadowCell) / kChunk])
      Use(latest_used_[word * sizeof(ShadowCell) / kChunk]);
  }
  void CountOthers(std::size_t word) {
    if (!others_used_[word * sizeof(Others) / kChunk])
      Use(others_used_[word * sizeof(Others) / kChunk]);
  }

  ShadowCell* latest = nullptr;
  Others* others = nullptr;

 private:
  static void Use(bool& chunk);
  static void Drop(void* part, bool* used, std::size_t first, std::size_t last);

  std::size_t words_ = 0;
  bool* latest_used_ = nullptr;  // by chunk
  bool* others_used_ = nullptr;
};

// Reserves addresses; their pages are zero and take memory once they are written.
void* ReserveBytes(std::size_t bytes);

// Bytes of shadow memory in use, in whole chunks.
std::size_t ShadowBytes();

}  // namespace cudasim
