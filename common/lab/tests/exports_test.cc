// Proves the function's side of a call: what the table says and how a call goes through it.

#include "common/lab/exports/exports.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/lab/not_written.h"

namespace geometry {
struct Box {
  float low, high;
};
Box Grow(Box box, double by) {
  return {static_cast<float>(box.low - by), static_cast<float>(box.high + by)};
}
}  // namespace geometry

void Accumulate(std::span<const int> in, std::span<int> out, int start) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = start += in[i];
}
std::int64_t Total(std::span<const int, 3> three) {
  return std::accumulate(three.begin(), three.end(), std::int64_t{0});
}
void Unwritten() { LAB_NOT_WRITTEN(); }

LAB_EXPORTS(LAB_EXPORT(Accumulate), LAB_EXPORT(geometry::Grow), LAB_EXPORT(Total),
            LAB_EXPORT(Unwritten));

namespace {

using lab::Argument;
using lab::ExportedFunction;

const ExportedFunction& At(std::size_t index) { return LabExports()->functions[index]; }

template <typename T>
Argument Of(Argument::Kind kind, T* data, std::size_t count) {
  return {kind, sizeof(T), alignof(T), data, count};
}

// Stages, runs, fetches and releases.
void CallThrough(const ExportedFunction& function, std::span<const Argument> arguments,
                 void* result) {
  void* staged = function.stage(arguments);
  function.Run(staged, result);
  function.fetch(staged);
  function.release(staged);
}

std::string StageError(const ExportedFunction& function, std::vector<Argument> arguments) {
  try {
    function.release(function.stage(arguments));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ExportsTest, ListsTheFunctionsAsWritten) {
  ASSERT_EQ(LabExports()->count, 4u);
  EXPECT_STREQ(At(0).name, "Accumulate");
  EXPECT_EQ(At(0).signature, lab::kSignature<decltype(Accumulate)>);
  EXPECT_EQ(At(0).argument_count, 3u);
  EXPECT_EQ(At(0).result_size, 0u);
  EXPECT_STREQ(At(1).name, "geometry::Grow");
  EXPECT_EQ(At(1).result_size, sizeof(geometry::Box));
}

TEST(ExportsTest, CallsWithSpansWhereTheyLie) {
  std::array in{1, 2, 3};
  std::array out{0, 0, 0};
  int start = 10;
  CallThrough(
      At(0),
      std::array{Of(Argument::Kind::kInput, in.data(), 3),
                 Of(Argument::Kind::kInOut, out.data(), 3), Of(Argument::Kind::kScalar, &start, 1)},
      nullptr);
  EXPECT_EQ(out, (std::array{11, 13, 16}));
}

TEST(ExportsTest, RunsAgainOnWhatIsStaged) {
  std::array in{1};
  std::array out{0};
  int start = 10;
  void* staged = At(0).stage(std::array{Of(Argument::Kind::kInput, in.data(), 1),
                                        Of(Argument::Kind::kInOut, out.data(), 1),
                                        Of(Argument::Kind::kScalar, &start, 1)});
  At(0).Run(staged, nullptr);
  in[0] = 5;
  At(0).Run(staged, nullptr);
  At(0).release(staged);
  EXPECT_EQ(out[0], 15);
}

TEST(ExportsTest, ReadsScalarsAndWritesResultsAtAnyAlignment) {
  alignas(8) std::array<unsigned char, 64> bytes{};
  geometry::Box box{1, 2};
  double by = 0.5;
  std::memcpy(&bytes[1], &box, sizeof(box));
  std::memcpy(&bytes[17], &by, sizeof(by));
  CallThrough(
      At(1),
      std::array{Argument{Argument::Kind::kScalar, sizeof(box), alignof(float), &bytes[1], 1},
                 Argument{Argument::Kind::kScalar, sizeof(by), alignof(double), &bytes[17], 1}},
      &bytes[33]);
  std::memcpy(&box, &bytes[33], sizeof(box));
  EXPECT_EQ(box.low, 0.5f);
  EXPECT_EQ(box.high, 2.5f);
}

TEST(ExportsTest, RefusesArgumentsThatDoNotFitTheContract) {
  int value = 1;
  std::array three{1, 2, 3};
  const Argument in = Of(Argument::Kind::kInput, three.data(), 3);
  const Argument out = Of(Argument::Kind::kInOut, three.data(), 3);
  const Argument start = Of(Argument::Kind::kScalar, &value, 1);
  Argument wide = in;
  wide.element_size = 8;
  Argument two = in;
  two.count = 2;
  Argument nowhere = in;
  nowhere.data = nullptr;
  Argument many = start;
  many.count = 2;
  EXPECT_EQ(StageError(At(0), {in, out, start}), "accepted");
  EXPECT_EQ(StageError(At(0), {in, out}), "2 arguments, the contract says 3");
  EXPECT_EQ(StageError(At(0), {in, out, start, start}), "4 arguments, the contract says 3");
  EXPECT_EQ(StageError(At(0), {nowhere, out, start}), "argument without data: 3 elements");
  EXPECT_EQ(StageError(At(2), {two}), "span of 2 elements, the contract says 3");
  const std::string mismatch = "argument of another kind or size than the contract says";
  EXPECT_EQ(StageError(At(0), {out, in, start}), mismatch);
  EXPECT_EQ(StageError(At(0), {wide, out, start}), mismatch);
  EXPECT_EQ(StageError(At(0), {in, out, many}), mismatch);
}

TEST(ExportsTest, AcceptsAnEmptySpanWithoutData) {
  int start = 0;
  CallThrough(At(0),
              std::array{Of<int>(Argument::Kind::kInput, nullptr, 0),
                         Of<int>(Argument::Kind::kInOut, nullptr, 0),
                         Of(Argument::Kind::kScalar, &start, 1)},
              nullptr);
  EXPECT_EQ(start, 0);
}

TEST(ExportsTest, LetsTheFunctionsExceptionThroughAndCanBeReleasedAfterIt) {
  void* staged = At(3).stage({});
  try {
    At(3).Run(staged, nullptr);
    FAIL() << "returned";
  } catch (const lab::NotWritten& error) {
    EXPECT_EQ(error.function(), "Unwritten");
    EXPECT_NE(error.file().find("exports_test.cc"), std::string::npos);
    EXPECT_GT(error.line(), 1);
  }
  At(3).release(staged);
}

}  // namespace
