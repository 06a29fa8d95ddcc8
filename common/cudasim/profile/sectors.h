// The distinct sectors of global memory that a launch, and each of its blocks, reads and writes.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>

#include "common/cudasim/instrument/access.h"
#include "common/cudasim/profile/model.h"

namespace cudasim {

// What tells how long ago a warp touched a sector: its number in the launch, and how many requests
// it has made plus how many sectors those have brought that it had not touched lately.
struct WarpClock {
  std::uint32_t warp = 0;
  std::uint32_t now = 0;
  std::uint32_t fresh = 0;        // sectors that the running request has brought
  std::uint32_t instruction = 0;  // the running one

  void BeginRequest(std::uint32_t pc) {
    now += 1 + fresh;
    fresh = 0;
    instruction = pc;
  }
};

// How a request of a warp finds a sector.
enum class Reuse : std::uint8_t {
  kNone,    // the warp has not touched it lately
  kAgain,   // another lane of the request has
  kNear,    // the warp has, kNearSectors ago at most
  kMiddle,  // kMiddleSectors ago at most
};
// A warp's share of the L1 cache if a multiprocessor is full, and if it is an eighth full.
constexpr std::uint32_t kNearSectors = 128;
constexpr std::uint32_t kMiddleSectors = 1024;

class SectorSet {
 public:
  // `block` is the linear index of the block whose thread touches the sector. Loads are reused by
  // loads, and stores by stores of other instructions: those of one come in rounds of a loop, which
  // the L1 cache does not wait for.
  Reuse Touch(std::uint64_t sector, Operation operation, std::uint64_t block, WarpClock& clock);
  void Clear();

  // The clock of another warp.
  WarpClock NewWarp() { return {++warps_, 0, 0, 0}; }

  // Sectors whose first use was a read, and sectors that were written: the compulsory traffic of a
  // launch, with perfect caches.
  std::uint64_t read() const { return read_; }
  std::uint64_t written() const { return written_; }
  std::uint64_t touched() const { return touched_; }  // read, written or both

  // Loads of sectors that the block did not load before: what blocks take from the L2 cache if each
  // has a perfect L1 cache of its own. Exact if blocks run one after another; blocks that take
  // turns at one sector count it again.
  std::uint64_t loaded_by_blocks() const { return loaded_by_blocks_; }

  // Passes of atomic operations over the sector that has most of them.
  void AddAtomicPass(std::uint64_t sector);
  std::uint64_t hottest() const { return hottest_; }
  std::uint64_t atomic() const { return atomic_; }  // sectors with a pass

 private:
  static constexpr unsigned kPageSectors = 128;
  struct Page {
    std::bitset<kPageSectors> touched;
    std::bitset<kPageSectors> written;
    std::array<std::uint32_t, kPageSectors> reader{};   // block of the last load, plus 1
    std::array<std::uint32_t, kPageSectors> atomics{};  // passes
    std::array<WarpClock, kPageSectors> loaded{};       // the last load
    std::array<WarpClock, kPageSectors> stored{};
  };

  Page& PageOf(std::uint64_t sector);

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;  // neighbouring accesses mostly lie in one page
  std::uint64_t read_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t loaded_by_blocks_ = 0;
  std::uint64_t touched_ = 0;
  std::uint64_t hottest_ = 0;
  std::uint64_t atomic_ = 0;
  std::uint32_t warps_ = 0;
};

}  // namespace cudasim
