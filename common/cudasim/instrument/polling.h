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
  const void* places[kWords] = {};  // where each was polled first
  unsigned next = 0;                // word to replace next
  unsigned count = 0;               // polls in a row that read unchanged values
  bool paused = false;              // it has let others run since it last read a new value

  // Of a word that is polled.
  const void* FirstPlace(const void* address) const {
    unsigned word = 0;
    while (word + 1 < kWords && addresses[word] != address) ++word;
    return places[word];
  }

  bool Contains(const void* address) const {
    return std::find(addresses, addresses + kWords, address) != addresses + kWords;
  }

  void Forget() {
    if (addresses[0] != nullptr) *this = {};
  }
};

// Polls without a new value after which other threads run.  A prime, so that a thread that polls
// several words in turn is interrupted at each of them in time.
constexpr unsigned kMaxPolls = 31;

// Called after kMaxPolls such polls, of which `poll` is the last.  Each instrumented library
// defines it.
void LetOthersRun(Polls& polls, const Access& poll);

inline void NotePolledValue(Polls& polls, unsigned word, const Access& access) {
  unsigned long long value = 0;
  std::memcpy(&value, access.address, access.bytes < sizeof(value) ? access.bytes : sizeof(value));
  if (polls.values[word] != value) {
    polls.values[word] = value;
    polls.count = 0;
    polls.paused = false;
  } else if (++polls.count >= kMaxPolls) {
    polls.count = 0;
    LetOthersRun(polls, access);
  }
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
  polls.places[polls.next] = access.pc;
  polls.next = (polls.next + 1) % Polls::kWords;
  polls.count = 0;
  polls.paused = false;
}

}  // namespace cudasim
