// The hidden test of the lab "Data movement on a GPU": array of structs and struct of arrays.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_layout/hidden_inputs.h"

namespace layout_test::fields_test {

const lab::Function<decltype(StructsToArrays)> structs_to_arrays{"StructsToArrays"};
const lab::Function<decltype(ArraysToStructs)> arrays_to_structs{"ArraysToStructs"};

using Floats = std::vector<float>;
using Cells = std::vector<Cell>;

// Copies a vector of 32-bit words, or of structs of these, bit by bit.
template <typename To, typename From>
std::vector<To> BitsAs(const std::vector<From>& from) {
  std::vector<To> to(from.size() * sizeof(From) / sizeof(To));
  if (!to.empty()) std::memcpy(to.data(), from.data(), to.size() * sizeof(To));
  return to;
}

Words TransposedWords(const Words& cells) {
  const std::size_t n = cells.size() / kCellFields;
  Words fields(cells.size());
  for (std::size_t w = 0; w < cells.size(); ++w) {
    fields[w % kCellFields * n + w / kCellFields] = cells[w];
  }
  return fields;
}

// Both directions take words of cells, one cell after the other.
using Check = std::function<void(const Words& cells, std::uint32_t before)>;

template <typename F>
Check ToArrays(const F& function) {
  return [function](const Words& cells, std::uint32_t before) {
    auto fields = BitsAs<float>(Words(cells.size(), before));
    function(BitsAs<Cell>(cells), fields);
    SCOPED_TRACE("with " + std::to_string(cells.size() / kCellFields) + " cells; bits of floats");
    lab::ExpectAllEqual(BitsAs<std::uint32_t>(fields), TransposedWords(cells));
  };
}

template <typename F>
Check ToStructs(const F& function) {
  return [function](const Words& want, std::uint32_t before) {
    auto cells = BitsAs<Cell>(Words(want.size(), before));
    function(BitsAs<float>(TransposedWords(want)), cells);
    SCOPED_TRACE("with " + std::to_string(want.size() / kCellFields) + " cells; bits of floats");
    lab::ExpectAllEqual(BitsAs<std::uint32_t>(cells), want);
  };
}

struct Direction {
  Check check;
  Check with_failing_calls;
};

// Both directions have the same contract.
struct FieldsTest : testing::TestWithParam<Direction> {
  void ExpectWords(const Words& cells) { GetParam().check(cells, kPoison); }
  Words SomeCells(std::size_t n) { return AnyWords(random, n * kCellFields); }
  lab::Random random;
};

TEST_P(FieldsTest, TakesWholeBlocksAndAPart) { ExpectWords(SomeCells(1000)); }

TEST_P(FieldsTest, TakesAnyNumberOfCells) {
  for (const std::size_t n : Sizes()) {
    ExpectWords(SomeCells(n));
    if (HasFailure()) return;
  }
  for (std::size_t n = 3; n <= 12 && !HasFailure(); ++n) ExpectWords(SomeCells(n));
}

// Numbers that an addition or a comparison would change.
TEST_P(FieldsTest, KeepsEveryBitOfSpecialValues) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Words special{std::bit_cast<std::uint32_t>(-0.0f),
                      std::bit_cast<std::uint32_t>(0.0f),
                      std::bit_cast<std::uint32_t>(kInfinity),
                      std::bit_cast<std::uint32_t>(-kInfinity),
                      0x7fc12345,  // NaN with a payload
                      0xffc54321,
                      0x00000001,  // the smallest subnormal number
                      0x807fffff};
  Words cells;
  for (std::size_t i = 0; i < 100 * kCellFields; ++i) cells.push_back(special[i % special.size()]);
  ExpectWords(cells);
}

TEST_P(FieldsTest, OverwritesWhatTheResultHeld) {
  for (const std::uint32_t before : {0u, 0xffffffffu, 0x3f800000u}) {
    SCOPED_TRACE("each word of the result held " + std::to_string(before));
    GetParam().check(SomeCells(300), before);
  }
}

TEST_P(FieldsTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    ExpectWords(SomeCells(random.UniformInt<std::size_t>(0, 700)));
  }
}

TEST_P(FieldsTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  const Words cells = SomeCells(1500);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectWords(cells);
  });
}

TEST_P(FieldsTest, TakesManyCells) { ExpectWords(SomeCells(lab::Scaled(200'000) + 3)); }

TEST_P(FieldsTest, ThrowsWhenARuntimeCallFails) {
  GetParam().with_failing_calls(SomeCells(300), kPoison);
}

INSTANTIATE_TEST_SUITE_P(StructsToArraysTest, FieldsTest,
                         testing::Values(Direction{
                             ToArrays(structs_to_arrays),
                             ToArrays(lab::WithFailingCalls(structs_to_arrays))}));
INSTANTIATE_TEST_SUITE_P(ArraysToStructsTest, FieldsTest,
                         testing::Values(Direction{
                             ToStructs(arrays_to_structs),
                             ToStructs(lab::WithFailingCalls(arrays_to_structs))}));

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
constexpr std::size_t kCounted = 16'384;

TEST(StructsToArraysCounted, TakesSixteenThousandCells) {
  lab::Random random;
  ToArrays(structs_to_arrays)(AnyWords(random, kCounted * kCellFields), kPoison);
}

TEST(ArraysToStructsCounted, TakesSixteenThousandCells) {
  lab::Random random;
  ToStructs(arrays_to_structs)(AnyWords(random, kCounted * kCellFields), kPoison);
}

}  // namespace layout_test::fields_test
