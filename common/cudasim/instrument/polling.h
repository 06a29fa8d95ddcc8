// Detects threads that spin in instrumented code: those that only reread a few words whose values
// do not change.
#pragma once

#include <algorithm>
#include <cstring>

#include "common/cudasim/instrument/access.h"

namespace cudasim {

// The words that a thread polled last, on which it may be spinning.
struct Polls {
  static constexpr unsigned kWords = 4;

  const void* addresses[kWords] = {};
  unsigned long long values[kWords] = {};
  unsigned bytes[kWords] = {};      // of the value; 0: not read yet
  const void* places[kWords] = {};  // where each was polled first
  unsigned next = 0;                // word to replace next
  unsigned count = 0;               // polls in a row that read unchanged values
  unsigned turns = 0;               // left to others at its last pause since it read a new value
  bool gives_way_soon = false;      // threads of its launch are known to wait for others

  // Of a word that is polled.
  const void* FirstPlace(const void* address) const {
    unsigned word = 0;
    while (word + 1 < kWords && addresses[word] != address) ++word;
    return places[word];
  }

  bool Contains(const void* address) const {
    return std::find(addresses, addresses + kWords, address) != addresses + kWords;
  }

  unsigned long long ValueAt(unsigned word) const {
    unsigned long long value = 0;
    std::memcpy(&value, addresses[word], bytes[word]);
    return value;
  }

  // Whether a word holds another value than the thread has read there.
  bool Changed() const {
    for (unsigned word = 0; word < kWords; ++word) {
      if (bytes[word] != 0 && ValueAt(word) != values[word]) return true;
    }
    return false;
  }

  void Forget() {
    if (addresses[0] != nullptr) *this = {};
  }
};

// Polls without a new value after which other threads run.  A prime, so that a thread that polls
// several words in turn is interrupted at each of them in time.
constexpr unsigned kMaxPolls = 31;
constexpr unsigned kMaxPollsOfWaiting = 3;  // the first time, of threads that give way soon

// Called after kMaxPolls such polls, of which `poll` is the last.  Each instrumented library
// defines it.
void LetOthersRun(Polls& polls, const Access& poll);

inline void NotePolledValue(Polls& polls, unsigned word, const Access& access) {
  polls.bytes[word] = std::min<unsigned>(access.bytes, sizeof(polls.values[word]));
  const unsigned long long value = polls.ValueAt(word);
  if (polls.values[word] != value) {
    polls.values[word] = value;
    polls.count = 0;
    polls.turns = 0;
    return;
  }
  const bool is_first = polls.gives_way_soon && polls.turns == 0;
  if (++polls.count < (is_first ? kMaxPollsOfWaiting : kMaxPolls)) return;
  polls.count = 0;
  LetOthersRun(polls, access);
}

// Called before the mode processes the access: other threads may run here, and the vector clock
// that the access acquires must belong to the value that it reads.
inline void NotePoll(Polls& polls, const Access& access) {
  if (access.address == nullptr) return;  // stands for no address; the mode reports it
  for (unsigned word = 0; word < Polls::kWords; ++word) {
    if (polls.addresses[word] == access.address) {
      NotePolledValue(polls, word, access);
      return;
    }
  }
  polls.addresses[polls.next] = access.address;  // which may not be readable
  polls.values[polls.next] = 0;
  polls.bytes[polls.next] = 0;
  polls.places[polls.next] = access.pc;
  polls.next = (polls.next + 1) % Polls::kWords;
  polls.count = 0;
  polls.turns = 0;
}

}  // namespace cudasim
