// Dependences through memory: a thread that waits until another one has stored a value goes on no
// earlier than that thread's store.
//
// The simulator runs threads one after another, so a thread mostly finds stored what it would wait
// for.  Two measures tell a wait from a look at data that happens to be there:
//
// * Threads that are about to publish, by an atomic or volatile store, are held up at first: a
//   thread of the block and another block run before they go on, so that those that wait for them
//   poll.  The places in the code where threads polled are those that wait; all others, such as
//   tickets, bins and searches of graphs, depend on nothing.
// * At such a place a thread reads what the word held at its own clock, as it would if all threads
//   ran at the same time: so in decoupled look-back it goes on with a block's own sum if the sum of
//   all blocks is stored only later.  It is a legal value, since the thread would poll on.  If it
//   does, its next poll is at the time of the next store.
//
// Threads that come back to an atomic operation after a barrier, as those of blocks that stay and
// take one ticket after another, let other blocks run before it, as long as these come to atomic
// operations at an earlier clock: on a GPU they take their tickets meanwhile, and here the first
// block would take all.
//
// A spin lock's compare-and-swap or exchange takes place after the last store.
//
// Polls in vain depend on the order in which the simulator runs threads: they are no work, take no
// time, and loads that wait count as no memory instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/cudasim/instrument/access.h"
#include "common/cudasim/profile/lanes.h"

namespace cudasim {

class Waits {
 public:
  void BeginLaunch();

  // The running thread has polled without a new value, first at `first`, and last by `poll`.
  void LetOthersRun(const void* first, const Access& poll);

  // Before an atomic or volatile access of the running thread; other threads may run here.
  void HoldUp(const Access& access);
  // Before an atomic operation on global memory.
  void TakeTurns(const Access& access, CheckedThread& thread);
  // After that.  `block` tells words of shared memory apart, and is 0 in global memory.  True if it
  // is a load that waits.
  bool Follow(const Access& access, std::uint64_t block, CheckedThread& thread);

  // Whether threads wait at this place in the code.
  bool WaitsAt(const void* pc) const { return places_.contains(pc); }

  // A word is shown as it was.
  bool is_showing() const { return shown_.bytes != 0; }
  // Gives it its value back.
  void Restore() {
    if (__builtin_expect(shown_.bytes != 0, 0)) RestoreShown();
  }

 private:
  static constexpr unsigned kHeldUp = 2;                          // at each place of a launch
  static constexpr unsigned kStores = 4;                          // of a word that are remembered
  static constexpr std::size_t kMaxWords = std::size_t{1} << 18;  // 40 MB

  struct Store {
    std::uint64_t thread = 0;  // its serial number
    std::uint64_t clock = 0;
    std::uint64_t before = 0;  // the word's value
  };
  struct Word {
    unsigned bytes = 0;
    unsigned count = 0;  // stores so far; the last kStores are at count % kStores
    Store stores[kStores];
  };
  struct Shown {
    char* address = nullptr;
    unsigned bytes = 0;  // 0: none
    std::uint64_t value = 0;
    CheckedThread* thread = nullptr;
  };

  // A thread that lets other blocks run before its atomic operation.
  struct Turn {
    std::uint64_t clock;
    bool is_early = false;  // another block has come to one at an earlier clock
  };
  void NoteTurn(std::uint64_t clock);
  void LetEarlierRun(std::uint64_t clock);

  void AddStore(Word& word, const Access& access, const CheckedThread& thread) const;
  void ShowAsAt(const Word& word, const Access& access, CheckedThread& thread);
  void Show(const Access& access, std::uint64_t value, CheckedThread& thread);
  void RestoreShown();

  std::unordered_set<const void*> places_;
  std::unordered_map<const void*, unsigned> held_up_;  // by place
  const void* held_word_ = nullptr;  // which the thread that is held up is about to store
  std::unordered_map<std::uint64_t, Word> words_;
  Shown shown_;
  std::vector<Turn*> turns_;  // on the stacks of threads
};

// Of the running launch; places are remembered for later ones.
extern Waits memory_waits;

}  // namespace cudasim
