// Threads that tell of accesses as code that is compiled for ThreadSanitizer does.
#include "common/lab/call/access_shares.h"

#include <gtest/gtest.h>

#include <span>
#include <thread>
#include <vector>

extern "C" {
void __tsan_read4(void* at);
void __tsan_write4(void* at);
}

namespace {

using Ints = std::vector<int>;

void Read(std::span<int> values) {
  for (int& value : values) __tsan_read4(&value);
}

void Write(std::span<int> values) {
  for (int& value : values) __tsan_write4(&value);
}

template <typename... Body>
void RunInTurn(const Body&... bodies) {
  (std::thread(bodies).join(), ...);
}

// How many threads shared a call that reads `in` and writes `out`, one after the other.
template <typename... Body>
double Shared(Ints& in, Ints& out, const Body&... bodies) {
  const std::vector<LabSpan> spans{{in.data(), in.size() * sizeof(int), false},
                                   {out.data(), out.size() * sizeof(int), true}};
  LabBeginShares(spans.data(), spans.size());
  RunInTurn(bodies...);
  return lab::SharedBy(LabEndShares(), 4);
}

class AccessSharesTest : public testing::Test {
 protected:
  Ints in_ = Ints(1000), out_ = Ints(1000), buffer_ = Ints(1000), none_;
  std::span<int> first_{in_.data(), 500}, second_{in_.data() + 500, 500};
};

TEST_F(AccessSharesTest, HalvesGiveTwo) {
  EXPECT_EQ(Shared(
                in_, none_, [&] { Read(first_); }, [&] { Read(second_); }),
            2);
}

TEST_F(AccessSharesTest, OneThreadBesideOthersThatReadItsInputsAgainGivesOne) {
  EXPECT_EQ(Shared(
                in_, none_, [&] { Read(in_); }, [&] { Read(first_); }),
            1);
  EXPECT_EQ(Shared(
                in_, none_, [&] { Read(in_); }, [&] { Read(in_); }),
            1);
}

TEST_F(AccessSharesTest, MemoryThatNobodyElseReadsCountsNothing) {
  const auto spin = [&] {
    Write(buffer_);
    Read(buffer_);
  };
  EXPECT_EQ(Shared(
                in_, out_, [&] { Read(in_); }, spin, [&] { Write(out_); }, [&] { Read(in_); }),
            2);
}

TEST_F(AccessSharesTest, TheLastWriterOfAnOutputCounts) {
  EXPECT_EQ(Shared(
                in_, out_, [&] { Write(out_); }, [&] { Read(in_), Write(out_); }),
            1);
}

TEST_F(AccessSharesTest, WhatAnotherThreadWroteCountsOnceForItsReader) {
  const auto read_twice = [&] { Read(buffer_), Read(buffer_); };
  EXPECT_EQ(Shared(
                in_, none_, [&] { Read(in_), Write(buffer_); }, read_twice),
            2);
}

TEST_F(AccessSharesTest, WithoutInputsEveryThreadThatWroteSomeCounts) {
  const std::span<int> out(out_);
  EXPECT_EQ(Shared(
                none_, out_, [&] { Write(out.first(900)); }, [&] { Write(out.last(100)); }),
            2);
  EXPECT_EQ(Shared(
                none_, out_, [&] { Write(out); }, [&] { Write(out.first(1)); }, [] {}),
            1);
}

TEST_F(AccessSharesTest, LittleThatWasSeenTellsNothing) {
  EXPECT_EQ(Shared(in_, none_, [&] { Read(first_.first(100)); }), 4);
  Ints few(10);
  EXPECT_EQ(Shared(few, none_, [&] { Read(few); }), 4);
}

}  // namespace
