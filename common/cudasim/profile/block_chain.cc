#include "common/cudasim/profile/block_chain.h"

#include <algorithm>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/profile/waits.h"

namespace cudasim {

CUDASIM_BEFORE_THE_PROGRAM BlockChain launch_block_chain;

void BlockChain::Clear() {
  places_.clear();
  depths_.clear();
  longest_ = surely_ = most_readers_ = 0;
}

void BlockChain::Add(const Access& access, std::uint64_t block, CheckedThread& thread) {
  // Other atomic operations add to data, as to the bins of a histogram, or draw tickets.
  const bool looks = access.operation == Operation::kAtomic && (access.order & kLooks) != 0;
  if (access.operation == Operation::kRead || looks) {
    const auto found = places_.find(access.address);
    if (found != places_.end() && found->second.block != block && !found->second.is_of_many) {
      Depth& depth = depths_[block];
      depth.first_read = std::min(depth.first_read, thread.clock());
      if (!memory_waits.WaitsAt(access.pc)) ++depth.reads;
      if (!thread.awaits_block) ++depth.readers;
      thread.awaits_block = true;
      Read(found->second, depth);
    }
  }
  if (access.operation != Operation::kRead && !looks) Write(access, block, thread);
}

void BlockChain::Read(const Place& place, Depth& depth) {
  // A reader of much data waits for none, and none waits for it.
  if (depth.reads > kMaxReads) depth.most = depth.least = 0;
  if (depth.reads > kMaxReads || HasManyReads(place.block)) return;
  const Depth& before = depths_[place.block];
  depth.most = std::max(depth.most, before.most + 1);
  depth.least = std::max(depth.least, place.is_early ? 1 : before.least + 1);
  longest_ = std::max(longest_, depth.most);
  surely_ = std::max(surely_, depth.least);
  most_readers_ = std::max<std::uint64_t>(most_readers_, depth.readers);
}

void BlockChain::Write(const Access& access, std::uint64_t block, const CheckedThread& thread) {
  if (places_.size() >= kMaxPlaces) return;
  const auto [found, is_new] = places_.try_emplace(access.address);
  Place& place = found->second;
  if (is_new) {
    place.block = block;
    place.is_early = !thread.awaits_block && thread.met() <= depths_[block].first_read;
  } else if (place.block != block) {
    place.is_of_many = true;
  }
}

}  // namespace cudasim
