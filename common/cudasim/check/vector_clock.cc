#include "common/cudasim/check/vector_clock.h"

#include <algorithm>
#include <cstddef>

namespace cudasim {

VectorClock::BlockEntry& VectorClock::FindOrMake(unsigned block) {
  const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), block,
                                   [](const BlockEntry& e, unsigned b) { return e.block < b; });
  if (at != blocks_.end() && at->block == block) return *at;
  return *blocks_.insert(at, {block, 0, {}});
}

const VectorClock::BlockEntry* VectorClock::Find(unsigned block) const {
  const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), block,
                                   [](const BlockEntry& e, unsigned b) { return e.block < b; });
  return at != blocks_.end() && at->block == block ? &*at : nullptr;
}

void VectorClock::Join(unsigned block, ThreadId thread, const Entry& entry) {
  BlockEntry& known = FindOrMake(block);
  known.before = std::max(known.before, entry.block_before);
  const auto at = std::lower_bound(known.threads.begin(), known.threads.end(), thread,
                                   [](const ThreadEntry& e, ThreadId t) { return e.thread < t; });
  if (at != known.threads.end() && at->thread == thread) {
    at->until = std::max(at->until, entry.thread_until);
  } else {
    known.threads.insert(at, {thread, entry.thread_until});
  }
}

void VectorClock::Join(BlockEntry& entry, const BlockEntry& other) {
  entry.before = std::max(entry.before, other.before);
  auto& own = entry.threads;
  const std::size_t had = own.size();
  std::size_t at = 0;
  for (const ThreadEntry& theirs : other.threads) {
    while (at < had && own[at].thread < theirs.thread) ++at;
    if (at < had && own[at].thread == theirs.thread) {
      own[at].until = std::max(own[at].until, theirs.until);
    } else {
      own.push_back(theirs);
    }
  }
  std::inplace_merge(
      own.begin(), own.begin() + static_cast<std::ptrdiff_t>(had), own.end(),
      [](const ThreadEntry& a, const ThreadEntry& b) { return a.thread < b.thread; });
}

void VectorClock::Join(const VectorClock& other) {
  if (blocks_.empty()) {
    blocks_ = other.blocks_;
    return;
  }
  for (const BlockEntry& theirs : other.blocks_) Join(FindOrMake(theirs.block), theirs);
}

void VectorClock::JoinBlock(const VectorClock& other, unsigned block) {
  if (const BlockEntry* const theirs = other.Find(block)) Join(FindOrMake(block), *theirs);
}

bool VectorClock::Includes(unsigned block, ThreadId thread, Epoch epoch) const {
  const BlockEntry* const known = Find(block);
  if (known == nullptr) return false;
  if (epoch < known->before) return true;
  const auto at = std::lower_bound(known->threads.begin(), known->threads.end(), thread,
                                   [](const ThreadEntry& e, ThreadId t) { return e.thread < t; });
  return at != known->threads.end() && at->thread == thread && epoch <= at->until;
}

}  // namespace cudasim
