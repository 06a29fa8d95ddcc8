#include "common/lab/checkpoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using Numbers = std::vector<std::uint32_t>;

// Runs body(0) ... body(threads - 1), each in a thread of its own.
template <typename Body>
void RunTeam(std::uint32_t threads, const Body& body) {
  std::vector<std::jthread> team;
  for (std::uint32_t t = 0; t < threads; ++t) team.emplace_back([&body, t] { body(t); });
}

TEST(CheckpointTest, HoldsNobodyOfRankZero) { EXPECT_EQ(lab::Checkpoint(0), 0); }

TEST(CheckpointTest, LetsGoTheOnlyThreadThatIsAwake) { EXPECT_EQ(lab::Checkpoint(7), 1); }

TEST(CheckpointTest, LetsAllOfOneRankGoTogether) {
  Numbers together(5);
  RunTeam(5, [&](std::uint32_t t) { together[t] = lab::Checkpoint(3); });
  EXPECT_EQ(together, Numbers(5, 5));
}

TEST(CheckpointTest, LetsLowerRanksGoFirst) {
  std::atomic<std::uint32_t> turns = 0;
  Numbers turn(6);
  Numbers together(6);
  RunTeam(6, [&](std::uint32_t t) {
    together[t] = lab::Checkpoint(6 - t);
    turn[t] = turns++;
  });
  EXPECT_EQ(turn, (Numbers{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(together, (Numbers{1, 2, 3, 4, 5, 6}));
}

// The second thread cannot come before the first one has given back the mutex, and is not waited
// for.
TEST(CheckpointTest, TakesAThreadThatWaitsForAMutexAsAsleep) {
  std::mutex mutex;
  Numbers together(2);
  RunTeam(2, [&](std::uint32_t t) {
    const std::lock_guard lock(mutex);
    together[t] = lab::Checkpoint(1);
  });
  EXPECT_EQ(together, Numbers(2, 1));
}

// One thread spins so many times and then works; the other one waits for it at a checkpoint.
void ExpectWaitForWork(int spins) {
  std::atomic<bool> is_done = false;
  RunTeam(2, [&](std::uint32_t t) {
    if (t == 0) {
      for (int i = 0; i < spins; ++i) lab::Relax(1);
      std::uint64_t value = 1;
      for (int i = 0; i < 20'000'000; ++i) value = value * 3 + (value >> 7);
      is_done = value != 0;
    } else {
      lab::Checkpoint(1);
      EXPECT_TRUE(is_done);
    }
  });
}

TEST(CheckpointTest, WaitsForAThreadThatIsAtWork) { ExpectWaitForWork(0); }

TEST(CheckpointTest, TakesAThreadThatNapsAsAwake) {
  std::atomic<bool> is_done = false;
  RunTeam(2, [&](std::uint32_t t) {
    if (t == 0) {
      for (int i = 0; i < 500; ++i) lab::internal::Nap();
      is_done = true;
    } else {
      lab::internal::Nap();
      lab::Checkpoint(1);
      EXPECT_TRUE(is_done);
    }
  });
}

// A lock that threads spin for, first come, first served.
class Tickets {
 public:
  void Lock() {
    const std::uint32_t own = next_.fetch_add(1);
    for (std::uint32_t units = 1; serving_ != own; units *= 2) lab::Relax(units);
  }
  void Unlock() { ++serving_; }

 private:
  std::atomic<std::uint32_t> next_ = 0;
  std::atomic<std::uint32_t> serving_ = 0;
};

// All come, one after the other, before the first one leaves.
TEST(CheckpointTest, TakesAThreadThatSpinsInVainAsWaiting) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    Tickets lock;
    std::uint32_t turns = 0;
    Numbers turn(6);
    Numbers together(6);
    RunTeam(6, [&](std::uint32_t t) {
      lab::Checkpoint(t + 1);
      lock.Lock();
      together[t] = lab::Checkpoint(100);
      turn[t] = turns++;
      lock.Unlock();
    });
    EXPECT_EQ(turn, (Numbers{0, 1, 2, 3, 4, 5}));
    // When the n-th is let in, nobody is held but itself and, the first time, none that came later.
    EXPECT_EQ(together, Numbers(6, 1));
  }
}

TEST(CheckpointTest, WaitsForAThreadThatSpunAndIsNowAtWork) { ExpectWaitForWork(10); }

TEST(AwaitPausesTest, ReturnsWhenAnotherThreadHasPausedForSoLong) {
  std::atomic<bool> is_done = false;
  lab::Tally tally;
  RunTeam(2, [&](std::uint32_t t) {
    if (t == 0) {
      lab::AwaitPauses(1000);
      is_done = true;
    } else {
      while (!is_done) lab::Relax(100);
      tally = lab::TakeTally();
    }
  });
  EXPECT_GE(tally.units, 1000);
  EXPECT_EQ(tally.units, 100 * std::uint64_t{tally.looks});
}

TEST(AwaitPausesTest, ReturnsWhenNobodyIsLeftToPause) {
  RunTeam(1, [](std::uint32_t) { lab::AwaitPauses(1000); });
}

TEST(CheckpointTest, HoldsAsManyThreadsAsALabMayStart) {
  RunTeam(64, [](std::uint32_t) { EXPECT_EQ(lab::Checkpoint(1), 64); });
}

}  // namespace
