// Loads whose addresses need the value of a load before them, so that a warp waits for one after
// the other, as in a list, a binary search or a merge.
//
// Found by addresses and values alone.  A loop's loads are independent if a stride predictor
// foretells their addresses (two-delta: Eickemeyer and Vassiliadis, IBM J. Res. Dev. 37(4), 1993;
// Sazeides and Smith, MICRO 1997).  An address that is linear in what a load before it read, as in
// x[index[i]], depends on that load, but a compiler can have several of them in flight, unless a
// store or another dependent load lies between.  Any other address is taken to depend on the linear
// ones before it in the basic block, as in columns[offsets[v] + some].
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/cudasim/profile/model.h"

namespace cudasim {

// What one warp has done with one load instruction.
struct LoadHistory {
  // An address less what a load before it read, times the size of an element.
  struct Base {
    unsigned source = 0;
    std::uint64_t base = 0;
  };
  static constexpr unsigned kSources = 4;

  // Masks of lanes.
  std::uint32_t seen = 0;     // have run it
  std::uint32_t stepped = 0;  // have run it twice
  // Of the last request.
  unsigned bytes = 0;
  unsigned level = 0;  // dependent loads before it in its run of a basic block, and it
  std::uint64_t order = 0;
  std::uint64_t run = 0;
  bool deviated = false;
  std::uint32_t deviation = 0;  // the last common step of all lanes that was not foretold
  unsigned base_count = 0;
  std::array<Base, kSources + 1> bases;
  // Of each lane; steps modulo 2^32.
  std::array<std::uint64_t, kWarpLanes> address;
  std::array<std::uint32_t, kWarpLanes> last_step;
  std::array<std::uint32_t, kWarpLanes> step;  // foretold: one that came twice in a row
};

// The loads of one warp.
class WarpLoads {
 public:
  void Clear();

  // The warp enters a basic block.
  void EnterBlock() {
    ++run_;
    depth_ = linear_ = 0;
  }

  void AddStore(bool shared) { held_[shared ? 1 : 0] = ++order_; }

  // The warp runs the load instruction with the dense number `id`.  Returns how many loads it waits
  // for that it did not wait for before.  Loads of one run of a basic block that do not depend on
  // each other are one wait.
  unsigned AddLoad(unsigned id, const WarpAccess& access, bool shared);

  // What AddLoad() returned in all, for global and for shared memory.
  const std::array<std::uint64_t, 2>& waits() const { return waits_; }

 private:
  // The load that the addresses are linear in; null if none.
  const LoadHistory* SourceOf(unsigned id, const WarpAccess& access);
  bool IsDependent(const LoadHistory& load, const LoadHistory* source, bool is_first,
                   bool shared) const;

  std::vector<LoadHistory> loads_;                        // by id
  std::array<unsigned, LoadHistory::kSources> latest_{};  // ids of the last requests
  unsigned requests_ = 0;
  std::uint64_t order_ = 0;  // of requests
  std::uint64_t run_ = 0;    // of a basic block
  unsigned depth_ = 0;       // waits in this run
  unsigned linear_ = 0;      // those for loads whose addresses are linear in others' values
  std::array<std::uint64_t, 2> held_{};  // the last store or dependent load, global or shared
  std::array<std::uint64_t, 2> waits_{};
};

}  // namespace cudasim
