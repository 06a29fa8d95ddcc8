#include "common/lab/atomic.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

TEST(AtomicTest, BehavesAsStdAtomicDoes) {
  lab::Atomic<std::uint8_t> number = 250;
  EXPECT_EQ(number.fetch_add(10, std::memory_order_acq_rel), 250);
  EXPECT_EQ(number.load(std::memory_order_acquire), 4) << "modulo 2^8";
  EXPECT_EQ(number.fetch_sub(5), 4);
  EXPECT_EQ(number.exchange(7), 255);
  EXPECT_EQ(++number, 8);
  EXPECT_EQ(number++, 8);
  EXPECT_EQ(number += 3, 12);
  EXPECT_EQ(number = 1, 1);
  number.store(2, std::memory_order_release);
  EXPECT_EQ(number, 2);
}

TEST(AtomicTest, ExchangesOnlyWhatIsExpected) {
  lab::Atomic<int> number = 3;
  int expected = 4;
  EXPECT_FALSE(number.compare_exchange_strong(expected, 5));
  EXPECT_EQ(expected, 3);
  EXPECT_TRUE(number.compare_exchange_strong(expected, 5, std::memory_order_release));
  EXPECT_EQ(number, 5);
}

TEST(AtomicTest, FailsSpuriouslyAndThenExchanges) {
  std::thread([] {
    lab::Atomic<int> number = 3;
    int expected = 3;
    EXPECT_FALSE(number.compare_exchange_weak(expected, 4)) << "a thread's first one fails";
    EXPECT_EQ(expected, 3);
    EXPECT_EQ(number, 3);
    int attempts = 1;
    while (!number.compare_exchange_weak(expected, 4, std::memory_order_acq_rel)) ++attempts;
    EXPECT_LE(attempts, 2) << "at most two in a row fail";
    EXPECT_EQ(number, 4);
  }).join();
}

TEST(AtomicTest, FailsHalfOfTheFirstWeakExchangesAndThenNone) {
  std::thread([] {
    lab::Atomic<bool> flag = false;
    unsigned failures = 0;
    for (int i = 0; i < 1000; ++i) {
      bool expected = false;
      failures += !flag.compare_exchange_weak(expected, false);
    }
    EXPECT_EQ(failures, 32);
  }).join();
}

TEST(AtomicTest, CountsWritesAndTheirLines) {
  std::thread([] {
    lab::Atomic<int> number = 3;
    lab::TakeTally();
    number.load();
    number.store(1);
    number.exchange(2);
    int expected = 9;
    number.compare_exchange_strong(expected, 3);
    EXPECT_EQ(lab::TakeTally().writes, 3);
    EXPECT_EQ(lab::TakeTally().writes, 0);
    EXPECT_EQ(lab::LastWrittenLine(), reinterpret_cast<std::uintptr_t>(&number) / 64);
  }).join();
}

// A load and a store are no read-modify-write: an update of another thread falls between them.
TEST(AtomicTest, LosesUpdatesThatAreNotAtomic) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    lab::Atomic<int> number = 0;
    {
      std::vector<std::jthread> team;
      for (int t = 0; t < 4; ++t) {
        team.emplace_back([&number] {
          for (int i = 0; i < 10; ++i) number.store(number.load() + 1);
        });
      }
    }
    if (number < 40) return;
  }
  ADD_FAILURE() << "no update was lost in 20 attempts";
}

TEST(AtomicTest, CannotBeCopied) {
  EXPECT_FALSE(std::is_copy_constructible_v<lab::Atomic<int>>);
  EXPECT_FALSE(std::is_copy_assignable_v<lab::Atomic<int>>);
}

}  // namespace
