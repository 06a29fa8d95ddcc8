#include "grader/sandbox/checker/arenas.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "grader/sandbox/checker/failure.h"
#include "gtest/gtest.h"

namespace grader::checker {
namespace {

// Copy(in[1001], out[1001], scale), and what the worker would see of it.
class ArenasTest : public testing::Test {
 protected:
  ArenasTest() {
    arenas_.Lay(call_, request_);
    arenas_.Fill(call_, request_);
  }

  // What a worker maps: nothing of the checker's own mapping is used.
  std::byte* MapOutputs() {
    void* const mapped =
        mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_SHARED, arenas_.output_fd(), 0);
    EXPECT_NE(mapped, MAP_FAILED);
    return static_cast<std::byte*>(mapped);
  }

  static constexpr std::size_t kMapped = 16384;
  std::vector<std::uint32_t> in_ = std::vector<std::uint32_t>(1001, 7);
  std::vector<std::uint32_t> out_ = std::vector<std::uint32_t>(1001, 1);
  double scale_ = 2.5;
  std::array<lab::Argument, 3> arguments_{
      {{lab::Argument::Kind::kInput, 4, 4, in_.data(), in_.size()},
       {lab::Argument::Kind::kInOut, 4, 4, out_.data(), out_.size()},
       {lab::Argument::Kind::kScalar, 8, 8, &scale_, 1}}};
  lab::Call call_{"Copy", 17, arguments_, nullptr, 0};
  Arenas arenas_{false};
  wire::Request request_{};
};

TEST_F(ArenasTest, SpansEndWhereAPageEnds) {
  for (int i = 0; i < 2; ++i) {
    const wire::Argument& argument = request_.arguments[i];
    EXPECT_EQ((argument.offset + argument.count * argument.element_size) % 4096, 0u);
    EXPECT_EQ(argument.offset % argument.alignment, 0u);
  }
}

TEST_F(ArenasTest, ContentsTravelBothWays) {
  std::byte* const outputs = MapOutputs();
  std::vector<std::uint32_t> seen(1001);
  memcpy(seen.data(), outputs + request_.arguments[1].offset, 4004);
  EXPECT_EQ(seen, out_);
  const std::uint32_t answer = 42;
  memcpy(outputs + request_.arguments[1].offset + 4000, &answer, 4);
  arenas_.CopyOut(call_, request_);
  EXPECT_EQ(out_[1000], 42u);
  EXPECT_EQ(out_[999], 1u);
  munmap(outputs, kMapped);
}

TEST_F(ArenasTest, ScalarsTravelInTheRequest) {
  double seen = 0;
  memcpy(&seen, request_.scalars + request_.arguments[2].offset, sizeof seen);
  EXPECT_EQ(seen, 2.5);
}

TEST_F(ArenasTest, OneByteBeforeAnOutputIsNoticed) {
  EXPECT_FALSE(arenas_.Damaged(request_).has_value());
  std::byte* const outputs = MapOutputs();
  outputs[request_.arguments[1].offset - 1] = std::byte{0};
  const std::optional<Damage> damage = arenas_.Damaged(request_);
  ASSERT_TRUE(damage.has_value());
  EXPECT_EQ(damage->argument, 1u);
  EXPECT_TRUE(damage->before);
  munmap(outputs, kMapped);
}

TEST_F(ArenasTest, InputsCannotBeWrittenThroughTheirDescriptor) {
  EXPECT_EQ(mmap(nullptr, 4096, PROT_WRITE, MAP_SHARED, arenas_.input_fd(), 0), MAP_FAILED);
  EXPECT_EQ(pwrite(arenas_.input_fd(), "x", 1, 0), -1);
}

TEST_F(ArenasTest, NeitherArenaCanBeResizedOrUnsealed) {
  for (const int fd : {arenas_.input_fd(), arenas_.output_fd()}) {
    EXPECT_EQ(ftruncate(fd, 0), -1);
    EXPECT_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
  }
}

TEST_F(ArenasTest, EmptySpansTakeNoPlaceAndAreNotTouched) {
  std::array<lab::Argument, 1> empty{{{lab::Argument::Kind::kInOut, 4, 4, nullptr, 0}}};
  const lab::Call call{"Clear", 17, empty, nullptr, 0};
  wire::Request request{};
  arenas_.Lay(call, request);
  arenas_.Fill(call, request);
  EXPECT_FALSE(arenas_.Damaged(request).has_value());
  arenas_.CopyOut(call, request);
  EXPECT_EQ(request.arguments[0].count, 0u);
}

TEST_F(ArenasTest, TooLargeACallIsTheJudgesFault) {
  arguments_[1].count = std::size_t{1} << 32;
  try {
    arenas_.Lay(call_, request_);
    FAIL() << "a span of 16 GiB was placed";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.verdict(), Verdict::kJudgeError);
  }
}

TEST_F(ArenasTest, EachRankReachesTheArgumentsOfItsOwnOnly) {
  std::array<std::uint32_t, 2> mine{7, 8};
  std::array<std::uint32_t, 2> all{9, 10};
  const auto part = [&](int rank) {
    return lab::Argument{lab::Argument::Kind::kInput,
                         4,
                         4,
                         &mine[static_cast<std::size_t>(rank)],
                         1,
                         false,
                         false,
                         rank};
  };
  std::array<lab::Argument, 3> arguments{part(0), part(1), arguments_[0]};
  arguments[2] = {lab::Argument::Kind::kInput, 4, 4, all.data(), all.size()};
  Arenas arenas(false, 2);
  const lab::Call call{"Exchange", 17, arguments, nullptr, 0};
  arenas.Lay(call, request_);
  arenas.Fill(call, request_);
  for (int rank = 0; rank < 2; ++rank) {
    void* const mapped = mmap(nullptr, kMapped, PROT_READ, MAP_SHARED, arenas.input_fd(rank), 0);
    std::array<std::uint32_t, kMapped / 4> seen;
    memcpy(seen.data(), mapped, kMapped);
    munmap(mapped, kMapped);
    const wire::Argument& own = request_.arguments[rank];
    EXPECT_EQ(seen[own.offset / 4], mine[static_cast<std::size_t>(rank)]);
    EXPECT_EQ(seen[request_.arguments[2].offset / 4], 9u);
    EXPECT_EQ(std::ranges::count(seen, mine[static_cast<std::size_t>(1 - rank)]), 0);
  }
}

TEST_F(ArenasTest, AnOutputOfSeveralRanksIsTheJudgesFault) {
  arguments_[0].rank = 1;
  EXPECT_THROW(Arenas(false, 2).Lay(call_, request_), Failure);
}

TEST_F(ArenasTest, TooManyScalarsAreTheJudgesFault) {
  std::array<double, 100> large{};
  std::array<lab::Argument, 1> scalar{
      {{lab::Argument::Kind::kScalar, sizeof large, 8, large.data(), 1}}};
  EXPECT_THROW(arenas_.Lay({"Large", 17, scalar, nullptr, 0}, request_), Failure);
}

}  // namespace
}  // namespace grader::checker
