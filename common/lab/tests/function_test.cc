// Proves what a test's call looks like when it reaches lab::Invoke.

#include "common/lab/testing/function.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "common/lab/call/parameter.h"

struct Point {
  double x;
  int label;
  bool operator==(const Point&) const = default;
};
enum class Order : std::uint8_t { kUp, kDown };

void Nothing();
void Spans(std::span<const float> in, std::span<std::uint16_t> out);
double Scalars(int a, Point b, Order c, bool d);
Point MakePoint(double x);
struct PlateSize {
  std::size_t rows, columns;
};
void Blur(float scale, int width, int height);
void Step(std::span<float> cells, int width, int height, int depth);
void Relax(std::span<double> plate, PlateSize size);
void FixedSpan(std::span<const int, 3> three);

namespace {

struct SeenCall {
  std::string function;
  std::uint64_t signature = 0;
  std::vector<lab::Argument> arguments;
  std::size_t result_size = 0;
};

SeenCall seen;
std::vector<unsigned char> result_bytes;

template <typename T>
void AnswerWith(const T& value) {
  result_bytes.resize(sizeof(T));
  std::memcpy(result_bytes.data(), &value, sizeof(T));
}

}  // namespace

void lab::Invoke(const Call& call) {
  seen = {call.function,
          call.signature,
          {call.arguments.begin(), call.arguments.end()},
          call.result_size};
  // A scalar lives only as long as the call.
  static std::array<std::array<unsigned char, 64>, 8> scalars;
  for (std::size_t i = 0; i < seen.arguments.size(); ++i) {
    Argument& argument = seen.arguments[i];
    if (argument.kind != Argument::Kind::kScalar) continue;
    std::memcpy(scalars[i].data(), argument.data, argument.element_size);
    argument.data = scalars[i].data();
  }
  if (call.result_size > 0) std::memcpy(call.result, result_bytes.data(), call.result_size);
}

namespace {

using lab::Argument;

template <typename T>
T ScalarAt(std::size_t index) {
  T value;
  std::memcpy(&value, seen.arguments.at(index).data, sizeof(T));
  return value;
}

TEST(FunctionTest, CallsByNameWithoutArgumentsOrResult) {
  const lab::Function<decltype(Nothing)> nothing{"Nothing"};
  nothing();
  EXPECT_EQ(seen.function, "Nothing");
  EXPECT_EQ(seen.signature, lab::kSignature<decltype(Nothing)>);
  EXPECT_TRUE(seen.arguments.empty());
  EXPECT_EQ(seen.result_size, 0u);
}

TEST(FunctionTest, LendsSpansWithoutCopying) {
  const lab::Function<decltype(Spans)> spans{"Spans"};
  const std::vector<float> in(5);
  std::vector<std::uint16_t> out(7);
  spans(in, out);
  ASSERT_EQ(seen.arguments.size(), 2u);
  EXPECT_EQ(seen.arguments[0].kind, Argument::Kind::kInput);
  EXPECT_EQ(seen.arguments[0].data, in.data());
  EXPECT_EQ(seen.arguments[0].count, 5u);
  EXPECT_EQ(seen.arguments[0].element_size, 4u);
  EXPECT_EQ(seen.arguments[1].kind, Argument::Kind::kInOut);
  EXPECT_EQ(seen.arguments[1].data, out.data());
  EXPECT_EQ(seen.arguments[1].count, 7u);
  EXPECT_EQ(seen.arguments[1].alignment, alignof(std::uint16_t));
}

TEST(FunctionTest, TakesEmptyAndFixedSpans) {
  lab::Function<decltype(Spans)>{"Spans"}({}, {});
  EXPECT_EQ(seen.arguments.at(0).count, 0u);
  lab::Function<decltype(FixedSpan)>{"FixedSpan"}(std::array{1, 2, 3});
  EXPECT_EQ(seen.arguments.at(0).count, 3u);
}

TEST(FunctionTest, KnowsTheGridsThatTheWholeNumbersOfTheLatestCallGive) {
  using Shapes = std::vector<lab::Extents>;
  lab::Function<decltype(Blur)>{"Blur"}(1.5f, 64, 48);
  EXPECT_EQ(lab::ShapesByLastCall(64 * 48), (Shapes{{64, 48}, {48, 64}}));
  EXPECT_EQ(lab::ShapesByLastCall(64 * 64), (Shapes{{64, 64}}));
  EXPECT_EQ(lab::ShapesByLastCall(100), Shapes{});
  lab::Function<decltype(Step)>{"Step"}({}, 5, 3, 2);
  EXPECT_EQ(lab::ShapesByLastCall(30), (Shapes{{2, 3, 5}, {5, 3, 2}}));
  EXPECT_EQ(lab::ShapesByLastCall(64 * 48), Shapes{}) << "an earlier call does not count";
  lab::Function<decltype(Relax)>{"Relax"}({}, {7, 9});
  EXPECT_EQ(lab::ShapesByLastCall(63), (Shapes{{7, 9}, {9, 7}}));
}

TEST(FunctionTest, SendsScalarsByValueAndReturnsTheResult) {
  const lab::Function<decltype(Scalars)> scalars{"Scalars"};
  AnswerWith(2.5);
  EXPECT_EQ(scalars(-3, Point{1.5, 4}, Order::kDown, true), 2.5);
  ASSERT_EQ(seen.arguments.size(), 4u);
  EXPECT_EQ(ScalarAt<int>(0), -3);
  EXPECT_EQ(ScalarAt<Point>(1), (Point{1.5, 4}));
  EXPECT_EQ(ScalarAt<Order>(2), Order::kDown);
  EXPECT_EQ(ScalarAt<bool>(3), true);
  EXPECT_EQ(seen.arguments[1].element_size, sizeof(Point));
}

TEST(FunctionTest, ReturnsStructures) {
  AnswerWith(Point{7, 8});
  EXPECT_EQ(lab::Function<decltype(MakePoint)>{"MakePoint"}(7), (Point{7, 8}));
}

TEST(SignatureTest, DiffersWhereverTwoFunctionsWouldMisunderstandEachOther) {
  const std::vector<std::uint64_t> signatures = {
      lab::kSignature<void()>,
      lab::kSignature<int()>,
      lab::kSignature<unsigned()>,
      lab::kSignature<float()>,
      lab::kSignature<double()>,
      lab::kSignature<Point()>,
      lab::kSignature<void(int)>,
      lab::kSignature<void(unsigned)>,
      lab::kSignature<void(float)>,
      lab::kSignature<void(long)>,
      lab::kSignature<void(int, int)>,
      lab::kSignature<void(int, float)>,
      lab::kSignature<void(float, int)>,
      lab::kSignature<void(std::span<int>)>,
      lab::kSignature<void(std::span<const int>)>,
      lab::kSignature<void(std::span<const float>)>,
      lab::kSignature<void(std::span<const int>, std::span<int>)>,
      lab::kSignature<void(std::span<int>, std::span<const int>)>,
      lab::kSignature<void(Point)>,
  };
  EXPECT_EQ(std::set(signatures.begin(), signatures.end()).size(), signatures.size());
}

TEST(SignatureTest, IsTheSameForTypesThatTravelAlike) {
  EXPECT_EQ((lab::kSignature<void(Order)>), (lab::kSignature<void(std::uint8_t)>));
  EXPECT_EQ((lab::kSignature<void(long)>), (lab::kSignature<void(long long)>));
  EXPECT_EQ((lab::kSignature<void(const int)>), (lab::kSignature<void(int)>));
}

// g++ builds the checker and clang++ the race build of the worker: the numbers are a wire format.
TEST(SignatureTest, IsTheSameForEveryCompiler) {
  EXPECT_EQ(lab::kSignature<void()>, 0xa8c7f832281a39c5u);
  EXPECT_EQ((lab::kSignature<double(std::span<const float>, std::span<unsigned>, int)>),
            0x59244654eb3ef989u);
}

}  // namespace
