#include "common/cudasim/profile/waits.h"

#include <algorithm>
#include <cstring>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/include/cudasim/instrumented.h"
#include "common/cudasim/profile/tally.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

CUDASIM_BEFORE_THE_PROGRAM Waits memory_waits;

namespace {

bool OnlyLooks(const Access& access) {
  if (access.operation != Operation::kAtomic) return access.operation == Operation::kRead;
  if ((access.order & kLooks) != 0) return true;
  const void* const expected = access.expected;
  return expected != nullptr && std::memcmp(access.address, expected, access.bytes) != 0;
}

std::uint64_t ValueAt(const Access& access) {
  std::uint64_t value = 0;
  std::memcpy(&value, access.address, std::min<std::size_t>(access.bytes, sizeof(value)));
  return value;
}

}  // namespace

void Waits::BeginLaunch() {
  words_.clear();
  turns_.clear();
  held_up_.clear();
  held_word_ = nullptr;
}

void Waits::LetOthersRun(const void* first, const Access& poll) {
  places_.insert(first);
  places_.insert(poll.pc);
  current_profile->waits = true;
  YieldThread(Worker::Current().holds_block() && poll.address == held_word_);
}

void Waits::HoldUp(const Access& access) {
  if (held_word_ != nullptr || OnlyLooks(access)) return;
  if (++held_up_[access.pc] > kHeldUp) return;
  held_word_ = access.address;
  for (const bool to_other_blocks : {false, true}) {
    Worker::Current().HoldBlock();
    YieldThread(to_other_blocks);
  }
  held_word_ = nullptr;
}

void Waits::TakeTurns(const Access& access, CheckedThread& thread) {
  if (access.operation != Operation::kAtomic || OnlyLooks(access)) return;
  NoteTurn(thread.clock());
  const bool again = std::ranges::find(thread.updates_at, access.pc) != thread.updates_at.end();
  if (again && thread.turn_after != *thread.floor) LetEarlierRun(thread.clock());
  if (!again) {
    std::ranges::rotate(thread.updates_at, thread.updates_at.end() - 1);
    thread.updates_at.front() = access.pc;
  }
  thread.turn_after = *thread.floor;
}

void Waits::NoteTurn(std::uint64_t clock) {
  for (Turn* const turn : turns_) turn->is_early |= clock < turn->clock;
}

void Waits::LetEarlierRun(std::uint64_t clock) {
  Turn own{clock};
  turns_.push_back(&own);
  do {
    own.is_early = false;
    YieldThread(true);
    NoteTurn(clock);
  } while (own.is_early);
  std::erase(turns_, &own);
}

bool Waits::Follow(const Access& access, std::uint64_t block, CheckedThread& thread) {
  if (!current_profile->waits) return false;
  const std::uint64_t key = reinterpret_cast<std::uint64_t>(access.address) ^ block << 48;
  const bool looks = OnlyLooks(access);
  bool only_waits = false;
  if (access.operation != Operation::kWrite && WaitsAt(access.pc)) {
    const auto found = words_.find(key);
    if (found != words_.end()) {
      Word& word = found->second;
      const std::uint64_t last = word.stores[(word.count - 1) % kStores].clock;
      if (looks && block == 0 && access.bytes == word.bytes) {
        ShowAsAt(word, access, thread);
        only_waits = access.operation == Operation::kRead;
      } else if (thread.clock() < last) {
        thread.AdvanceTo(last);
      }
    }
  }
  if (!looks && words_.size() < kMaxWords) AddStore(words_[key], access, thread);
  return only_waits;
}

void Waits::AddStore(Word& word, const Access& access, const CheckedThread& thread) const {
  word.bytes = access.bytes <= sizeof(std::uint64_t) ? access.bytes : 0;
  word.stores[word.count++ % kStores] = {thread.serial, thread.clock(), ValueAt(access)};
}

// The first store that lies behind the thread's clock is not seen yet, nor is any after it.
void Waits::ShowAsAt(const Word& word, const Access& access, CheckedThread& thread) {
  const auto at = [&](unsigned i) -> const Store& { return word.stores[i % kStores]; };
  const unsigned oldest = word.count > kStores ? word.count - kStores : 0;
  unsigned next = word.count;  // it sees its own stores
  while (next > oldest && at(next - 1).thread != thread.serial) --next;
  const bool none_seen = next == oldest && next < word.count && at(next).clock > thread.clock();
  const auto skip_seen = [&] {
    while (next < word.count && at(next).clock <= thread.clock()) ++next;
  };
  skip_seen();
  // What it saw last was not what it waits for, unless its warp polls again for another lane.
  const bool alone = thread.operations_met <= thread.polled_at;
  const auto polled = std::ranges::find(thread.polled, access.address);
  const bool again = polled != thread.polled.end();
  if (next < word.count && again && (none_seen || alone)) {
    thread.AdvanceTo(at(next).clock);
    skip_seen();
  }
  const bool is_old = next < word.count;
  thread.has_seen_old |= is_old;
  if (again) *polled = is_old ? access.address : nullptr;
  if (is_old && !again) {
    std::ranges::rotate(thread.polled, thread.polled.end() - 1);
    thread.polled.front() = access.address;
  }
  thread.polled_at = thread.operations;
  if (is_old) Show(access, at(next).before, thread);
}

// The thread's next event, or any other thread that runs, ends it.
void Waits::Show(const Access& access, std::uint64_t value, CheckedThread& thread) {
  shown_ = {access.address, access.bytes, ValueAt(access), &thread};
  std::memcpy(access.address, &value, access.bytes);
}

void Waits::RestoreShown() {
  std::memcpy(shown_.address, &shown_.value, shown_.bytes);
  shown_.bytes = 0;
  shown_.thread->ResetEnd();
}

}  // namespace cudasim
