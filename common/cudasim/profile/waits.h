// Dependences through memory: a thread that waits until another one has stored a value goes on no
// earlier than that thread's store.
//
// The simulator runs threads one after another, so a thread mostly finds stored what it would wait
// for.  Two measures tell a wait from a look at data that happens to be there:
//
// * Threads that are about to publish, by an atomic or volatile store, are held up now and then, so
//   that those that wait for them poll.  The places in the code where threads polled are those that
//   wait; all others, such as tickets, bins and searches of graphs, depend on nothing.
// * At such a place a thread reads what the word held at its own clock, as it would if all threads
//   ran at the same time: so in decoupled look-back it goes on with a block's own sum if the sum of
//   all blocks is stored only later.  It is a legal value, since the thread would poll on.  If
//   nothing had been stored until then, its next poll is at the time of the first store.
//
// A spin lock's compare-and-swap or exchange takes place after the last store.
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

  // A thread has polled without a new value, first at `first`, and last at `last`.
  void AddPlaces(const void* first, const void* last);

  // Before an atomic or volatile access of the running thread; other threads may run here.
  void HoldUp(const Access& access);
  // After that.  `block` tells words of shared memory apart, and is 0 in global memory.
  void Follow(const Access& access, std::uint64_t block, CheckedThread& thread);

  // A word is shown as it was.
  bool is_showing() const { return shown_.bytes != 0; }
  // Gives it its value back.
  void Restore() {
    if (__builtin_expect(shown_.bytes != 0, 0)) RestoreShown();
  }

 private:
  // How often a launch holds threads up, at each place and in all.
  static constexpr unsigned kHeldUp = 2;
  static constexpr unsigned kHeldUpInAll = 32;
  static constexpr unsigned kStores = 4;                          // of a word that are remembered
  static constexpr std::size_t kMaxWords = std::size_t{1} << 18;  // 40 MB

  struct Store {
    const CheckedThread* thread = nullptr;  // as far as it is known: fibers are used again
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

  void AddStore(Word& word, const Access& access, const CheckedThread& thread) const;
  void ShowAsAt(const Word& word, const Access& access, CheckedThread& thread);
  void Show(const Access& access, std::uint64_t value, CheckedThread& thread);
  void RestoreShown();

  std::unordered_set<const void*> places_;
  std::unordered_map<const void*, unsigned> held_up_;  // by place
  unsigned held_up_in_all_ = 0;
  std::unordered_map<std::uint64_t, Word> words_;
  Shown shown_;
};

// Of the running launch; places are remembered for later ones.
extern Waits memory_waits;

}  // namespace cudasim
