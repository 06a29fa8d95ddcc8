// Threads that spin, in instrumented code: where it is noticed that all a thread does is to read
// the same few words, which stay as they are.
#pragma once

#include <cstring>

#include "common/cudasim/instrument/access.h"

namespace cudasim {

// What a thread may be spinning on: the words that it polled last.
struct Polls {
  static constexpr unsigned kWords = 4;

  const void* addresses[kWords] = {};
  unsigned long long values[kWords] = {};
  unsigned next = 0;    // to be replaced
  unsigned count = 0;   // of polls in a row that found nothing new
  bool paused = false;  // it has let others run since it found anything new

  void Forget() {
    if (addresses[0] != nullptr) *this = {};
  }
};

// Polls in vain after which others run.  A prime, so that a thread which polls several words in
// turn stops at each of them in time.
constexpr unsigned kMaxPolls = 31;

// What each instrumented library does after that many, `poll` the last of them.
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

// Before an access that programs spin on is looked at, so that what is learned from it belongs to
// the value it gets.
inline void NotePoll(Polls& polls, const Access& access) {
  for (unsigned word = 0; word < Polls::kWords; ++word) {
    if (polls.addresses[word] == access.address) {
      NotePolledValue(polls, word, access);
      return;
    }
  }
  polls.addresses[polls.next] = access.address;  // perhaps none that can be read
  polls.values[polls.next] = 0;
  polls.next = (polls.next + 1) % Polls::kWords;
  polls.count = 0;
  polls.paused = false;
}

}  // namespace cudasim
