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
  static constexpr unsigned kLongestRound = 6;  // basic blocks of a short loop

  // Masks of lanes.
  std::uint32_t seen = 0;     // have run it
  std::uint32_t stepped = 0;  // have run it twice
  std::uint32_t steady = 0;   // their last step was the foretold one
  // Of the last request.
  unsigned bytes = 0;
  unsigned level = 0;  // dependent loads before it in its run of a basic block, and it
  unsigned turn = 0;   // likewise, if nothing of another run is in flight
  std::uint64_t order = 0;
  std::uint64_t run = 0;
  bool is_strided = false;
  bool is_grid_strided = false;  // and not by the threads of a block
  bool deviated = false;
  std::uint32_t deviation = 0;  // the last common step of all lanes that was not foretold
  unsigned base_count = 0;
  std::array<Base, kSources + 1> bases;
  // Of each lane; steps modulo 2^32.
  std::array<std::uint64_t, kWarpLanes> address;
  std::array<std::uint32_t, kWarpLanes> last_step;
  std::array<std::uint32_t, kWarpLanes> step;  // foretold: one that came twice in a row
};

// How many loads a warp waits for, one after another.  Loads of one run of a basic block that do
// not depend on each other are one wait.
struct LoadWaits {
  std::uint64_t dependent = 0;  // for loads that depend on loads
  std::uint64_t in_order = 0;   // for all loads, if nothing of another run is in flight
  std::uint64_t strided = 0;    // those of them in loops whose stride is the threads of a block or
                                // grid: a compiler that does not know it does not unroll the loop
  std::uint64_t grid_strided = 0;  // those of them whose stride is that of the grid only
  // Those in order for a load that the warp has run shortly before, as in a short loop, without a
  // fence in between: a compiler that unrolls the loop can move the loads together. A fence is a
  // barrier, a store to global memory for loads of global memory, and divergence for shared ones.
  std::uint64_t looped = 0;

  void Add(const LoadWaits& other);
};

// The loads of one warp.
class WarpLoads {
 public:
  // Begins a warp of a grid of so many threads.
  void Begin(std::uint64_t block_threads, std::uint64_t grid_threads);

  // The lanes in `lanes` enter a basic block.
  void EnterBlock(std::uint32_t lanes) {
    if (lanes != lanes_) fences_[1] = ++order_;
    lanes_ = lanes;
    ++run_;
    depth_ = linear_ = 0;
    turns_ = {};
  }

  void AddStore(bool shared) {
    held_[shared ? 1 : 0] = ++order_;
    if (!shared) fences_[0] = order_;
  }
  void AddBarrier() {
    ++order_;
    fences_ = {order_, order_};
  }

  // The warp runs the load instruction with the dense number `id`.  Returns what it has to wait for
  // beside all that it has waited for before.
  LoadWaits AddLoad(unsigned id, const WarpAccess& access, bool shared);

  // The warp runs an atomic operation on global memory whose result it needs. Returns how many it
  // has run.
  std::uint64_t AddAtomic() { return ++atomics_; }

  // Dependent loads of global and of shared memory.
  const std::array<std::uint64_t, 2>& dependent() const { return dependent_; }

 private:
  // The load that the addresses are linear in; null if none.
  const LoadHistory* SourceOf(unsigned id, const WarpAccess& access);
  bool IsStrided(const LoadHistory& load, const WarpAccess& access, std::uint64_t threads) const;
  void NoteStride(LoadHistory& load, const WarpAccess& access) const;
  // Sets the level and turn of an access whose addresses do not follow from the load's earlier
  // ones.
  void FindDependence(unsigned id, const WarpAccess& access, bool is_first, bool shared);
  // True if the lanes have run the load shortly before, without a fence in between.
  bool IsRound(const LoadHistory& load, const WarpAccess& access, unsigned space) const;
  LoadWaits Wait(const LoadHistory& load, unsigned space, bool is_round);
  bool IsDependent(const LoadHistory& load, const LoadHistory* source, bool is_first,
                   bool shared) const;

  std::vector<LoadHistory> loads_;                        // by id
  std::array<unsigned, LoadHistory::kSources> latest_{};  // ids of the last requests
  std::array<std::uint64_t, 2> threads_{};                // of a block and of the grid
  unsigned requests_ = 0;
  std::uint64_t order_ = 0;                // of requests
  std::uint64_t run_ = 0;                  // of a basic block
  std::uint32_t lanes_ = 0;                // that entered the last one
  std::array<std::uint64_t, 2> fences_{};  // the last one for global and for shared loads
  // In this run: waits for dependent loads, those of them that are linear in others' values, and
  // waits for global and shared loads in order.
  unsigned depth_ = 0;
  unsigned linear_ = 0;
  std::array<unsigned, 2> turns_{};
  std::array<std::uint64_t, 2> held_{};  // the last store or dependent load, global or shared
  std::array<std::uint64_t, 2> dependent_{};
  std::uint64_t atomics_ = 0;
};

}  // namespace cudasim
