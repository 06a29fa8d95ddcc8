// Blocks that wait for other blocks of their launch: those that read, by a volatile or atomic load
// or by adding 0, what only one other block has written in such a way, as the flags of a chained
// scan (Yan, Long and Zhang, StreamScan, PPoPP 2013). The simulator runs blocks one after another,
// so that none has to wait here.
//
// With decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled
// Look-back, 2016) a block writes its own sum before it waits, and to the same place the sum of all
// blocks up to it after that. The blocks behind it may go on with the first: how long the chain is
// lies between two bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "common/cudasim/instrument/access.h"
#include "common/cudasim/profile/lanes.h"

namespace cudasim {

class BlockChain {
 public:
  // A volatile or atomic access of `thread`, one of the block's, to global memory.
  void Add(const Access& access, std::uint64_t block, CheckedThread& thread);
  void Clear();

  // The blocks on the longest chain that wait; 0 if none does.
  std::uint64_t longest() const { return longest_; }
  // The same if blocks wait only for what the block before has written first.
  std::uint64_t surely() const { return surely_; }
  // How many threads of one of these blocks read what others have written, at most: the lanes of a
  // warp look back at several blocks at once.
  std::uint64_t most_readers() const { return most_readers_; }

 private:
  // What blocks read from others beyond this is data, as in a search for components, not a flag.
  static constexpr unsigned kMaxReads = 64;
  // So is what lies in more places; it must not fill the memory.
  static constexpr std::size_t kMaxPlaces = std::size_t{1} << 20;

  struct Place {
    std::uint64_t block = 0;
    bool is_of_many = false;  // several blocks have written it
    bool is_early = false;    // what was first written depends on no other block
  };
  struct Depth {
    std::uint64_t most = 0;
    std::uint64_t least = 0;
    unsigned readers = 0;  // threads that read other blocks' places
    unsigned reads = 0;    // of other blocks' places, but where threads wait
    // The clock of the thread that read first. Lanes of a warp do not run in lockstep here: others
    // may write later what they would have written before.
    std::uint64_t first_read = std::numeric_limits<std::uint64_t>::max();
  };

  void Read(const Place& place, Depth& depth);
  void Write(const Access& access, std::uint64_t block, const CheckedThread& thread);
  bool HasManyReads(std::uint64_t block) { return depths_[block].reads > kMaxReads; }

  std::unordered_map<const void*, Place> places_;
  std::unordered_map<std::uint64_t, Depth> depths_;  // by block
  std::uint64_t longest_ = 0;
  std::uint64_t surely_ = 0;
  std::uint64_t most_readers_ = 0;
};

// Of the running launch.
extern BlockChain launch_block_chain;

}  // namespace cudasim
