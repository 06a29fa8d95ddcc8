// Shadow memory: for each 4-byte word of device and shared memory the cell of the latest access and
// up to three more that still matter, 32 bytes in all.
//
// The latest ones lie together, so that memory that one thread touches at a time costs 8 bytes a
// word; pages of either part come when they are touched.
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
  static constexpr std::size_t kChunk = 65536;  // what is counted at a time

  // Reserves addresses for the shadow of `bytes`.  Aborts with a message if there are none.
  void Reserve(std::size_t bytes);

  // Forgets words and gives their pages back.
  void Drop(std::size_t first, std::size_t count);

  // Forgets who accessed which word; what is known to be initialised stays.
  void ForgetAccesses();

  // A word is about to have its first cell, or its first other one.  The process ends with a
  // message when the shadow's memory would pass its limit.
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

// Bytes of shadow memory in use, in whole chunks.
std::size_t ShadowBytes();

}  // namespace cudasim
