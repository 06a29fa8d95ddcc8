#pragma once

// Behaviours that return late or never; behaviours.cc has the others.

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <span>
#include <thread>

#include "grader/sandbox/wire/wire.h"

namespace behaviours {

using Values = std::span<const float>;
using Results = std::span<float>;

inline void EndlessLoop(Values /*values*/, Results /*roots*/) {
  for (std::atomic<bool> forever{true}; forever;) {
  }
}

inline double ProcessCpuSeconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

// Of CPU time, which on an idle core is also the wall time.
inline constexpr double kMostOfASecond = 0.7;

inline void TakesMostOfASecond(Values values, Results roots) {
  while (ProcessCpuSeconds() < kMostOfASecond) {
  }
  for (std::size_t i = 0; i < values.size(); ++i) roots[i] = std::sqrt(values[i]);
}

// The same by threads that end, one after the other: none lives until the deadline.
inline void TakesMostOfASecondInShortThreads(Values values, Results roots) {
  while (ProcessCpuSeconds() < kMostOfASecond) {
    std::thread([end = ProcessCpuSeconds() + 0.05] {
      while (ProcessCpuSeconds() < end) {
      }
    }).join();
  }
  for (std::size_t i = 0; i < values.size(); ++i) roots[i] = std::sqrt(values[i]);
}

inline void Deadlock(Values /*values*/, Results /*roots*/) {
  for (;;) pause();
}

inline void TwoLocksInOppositeOrder(Values /*values*/, Results /*roots*/) {
  std::mutex first;
  std::mutex second;
  std::barrier both(2);
  std::thread other([&] {
    const std::lock_guard outer(second);
    both.arrive_and_wait();
    const std::lock_guard inner(first);
  });
  {
    const std::lock_guard outer(first);
    both.arrive_and_wait();
    const std::lock_guard inner(second);
  }
  other.join();
}

inline void JoinsWhatNeverEnds(Values /*values*/, Results /*roots*/) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  const auto wait = [&] {
    pthread_mutex_lock(&mutex);
    for (;;) pthread_cond_wait(&never, &mutex);
  };
  std::thread waiting(wait);
  std::thread waiting_too(wait);
  waiting.join();
  waiting_too.join();
}

inline void HangsWithAllSignalsBlocked(Values values, Results roots) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  Deadlock(values, roots);
}
// Answers one request for a stack with endless forged replies.
inline void LiesAboutItsThreads(Values /*values*/, Results /*roots*/) {
  signal(grader::wire::kStackSignal, [](int) {
    grader::wire::Reply reply{};
    reply.magic = grader::wire::kMagic;
    reply.status = grader::wire::Status::kStack;
    reply.text_size = ~0U;
    memset(reply.result, 0xFF, sizeof reply.result);
    memset(reply.text, '"', sizeof reply.text);
    for (;;) grader::wire::WriteFrame(grader::wire::kReplyFd, &reply, sizeof reply);
  });
  for (;;) pause();
}

}  // namespace behaviours
