// The hidden test of the lab "Vector addition on a GPU": the parts that add.
//
// Each starts with a thousand elements, so that a common mistake shows there first, in a case that
// is easy to think about.

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>

#include "common/lab/call/callers.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_vecadd/hidden_sum.h"

namespace cuda_vecadd {
namespace {

Add WithBlocks(int blocks) {
  return [blocks](std::span<const float> a, std::span<const float> b, std::span<float> c) {
    vec_add_grid_stride(a, b, c, blocks);
  };
}

// A check of any of the functions.
using AddCheck = std::function<void(const Add&)>;

// A part: calls a check with its function, or with it and each of a few numbers of blocks.
using Part = std::function<void(const AddCheck&)>;

// Calls the check with each of these numbers of blocks.
void WithEachNumberOfBlocks(std::initializer_list<int> numbers,
                            const std::function<void(const Add&, int blocks)>& check) {
  for (const int blocks : numbers) {
    SCOPED_TRACE("with blocks = " + std::to_string(blocks));
    check(WithBlocks(blocks), blocks);
    if (testing::Test::HasFailure()) return;
  }
}

// All parts promise the same.
struct AddTest : testing::TestWithParam<Part> {
  const Part& for_each = GetParam();
  lab::Random random;
};

// What only one of them promises, or both of those that add on the device.
struct HostAddTest : AddTest {};
struct GridStrideAddTest : AddTest {};
struct DeviceAddTest : AddTest {};

TEST_P(AddTest, AddsAThousandElements) {
  for_each([&](const Add& add) { ExpectSum(add, 1000, random); });
}

TEST_P(AddTest, AddsEveryElementAtWarpBlockAndPageEdges) {
  for_each([&](const Add& add) {
    for (const std::size_t n : Sizes()) {
      ExpectSum(add, n, random);
      if (HasFailure()) return;
    }
  });
}

TEST_P(AddTest, FollowsIeee754ForSpecialValues) { for_each(ExpectSpecialValues); }

TEST_P(AddTest, IsExactForNumbersOfEverySize) {
  for_each([&](const Add& add) {
    const Floats a = AnyFloats(random, 5000);
    Floats b = AnyFloats(random, 5000);
    ExpectSum(add, a, b);
    // Of about the size of a: here the additions cancel, round and overflow.
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = a[i] * random.UniformFloat(-2, 2);
    ExpectSum(add, a, b);
  });
}

// Both inputs may be one vector.
TEST_P(AddTest, AddsAVectorToItself) {
  for_each([&](const Add& add) {
    const Floats a = random.Floats(1000, -1000, 1000);
    ExpectSum(add, a, a);
  });
}

TEST_P(AddTest, KeepsNothingFromOneCallToTheNext) {
  for_each([&](const Add& add) {
    for (int call = 0; call < 40; ++call) {
      SCOPED_TRACE("call " + std::to_string(call));
      ExpectSum(add, random.UniformInt<std::size_t>(0, 3000), random);
      if (HasFailure()) return;
    }
  });
}

TEST_P(AddTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  for_each([&](const Add& add) {
    lab::ForSeveralCallers([&](const std::string& what) {
      SCOPED_TRACE(what);
      ExpectSum(add, 3000, random);
    });
  });
}

TEST_P(AddTest, AddsALargeInput) {
  for_each([&](const Add& add) { ExpectLargeSum(add, random); });
}

TEST_P(HostAddTest, FreesItsDeviceMemoryAfterEveryCall) {
  // Each call needs 48 MB on the device: what is left behind soon fills the memory limit.
  const std::size_t n = lab::Scaled(1 << 22);
  const Floats a(n, random.UniformFloat(1, 2));
  const Floats b(n, random.UniformFloat(1, 2));
  const Floats want = Sum(a, b);
  for (std::size_t call = 0; call < lab::Scaled(14) && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call) + " with n = " + std::to_string(n));
    Floats c = lab::Poisoned<float>(n);
    vec_add_host(a, b, c);
    lab::ExpectAllEqual(c, want);
  }
}

TEST_P(HostAddTest, ThrowsAndFreesItsMemoryWhenARuntimeCallFails) {
  ExpectSum(lab::WithFailingCalls(vec_add_host), 100, random);
}

TEST_P(GridStrideAddTest, AddsFiveThousandElementsWhichOneRoundDoesNotCover) {
  WithEachNumberOfBlocks({1, 2, 3}, [&](const Add& add, int) { ExpectSum(add, 5000, random); });
}

TEST_P(GridStrideAddTest, AddsEveryElementWhereTheGridEnds) {
  WithEachNumberOfBlocks({1, 3, 7}, [&](const Add& add, int blocks) {
    for (const std::size_t block : {kUsualBlock, kLargestBlock}) {
      const std::size_t threads = blocks * block;
      for (const std::size_t n : {threads - 1, threads, threads + 1, 2 * threads + 1}) {
        ExpectSum(add, n, random);
      }
    }
  });
}

TEST_P(GridStrideAddTest, WorksWithMoreBlocksThanElements) {
  WithEachNumberOfBlocks({10, 500}, [&](const Add& add, int) {
    for (const std::size_t n : {1, 9, 300}) ExpectSum(add, n, random);
  });
}

TEST_P(GridStrideAddTest, AddsALargeInputWithFewAndManyBlocks) {
  WithEachNumberOfBlocks({13, 128, 200}, [&](const Add& add, int) { ExpectLargeSum(add, random); });
}

TEST_P(DeviceAddTest, ThrowsWhenARuntimeCallFails) {
  for_each([&](const Add& add) { ExpectSum(lab::WithFailingCalls(add), 100, random); });
}

const Part kHost = [](const AddCheck& check) { check(vec_add_host); };
const Part kOnDevice = [](const AddCheck& check) { check(vec_add); };
const Part kGridStride = [](const AddCheck& check) {
  WithEachNumberOfBlocks({1, 2, 5}, [&](const Add& add, int) { check(add); });
};

INSTANTIATE_TEST_SUITE_P(VecAddHostTest, AddTest, testing::Values(kHost));
INSTANTIATE_TEST_SUITE_P(VecAddHostTest, HostAddTest, testing::Values(kHost));
INSTANTIATE_TEST_SUITE_P(VecAddTest, AddTest, testing::Values(kOnDevice));
INSTANTIATE_TEST_SUITE_P(VecAddTest, DeviceAddTest, testing::Values(kOnDevice));
INSTANTIATE_TEST_SUITE_P(VecAddGridStrideTest, AddTest, testing::Values(kGridStride));
INSTANTIATE_TEST_SUITE_P(VecAddGridStrideTest, GridStrideAddTest, testing::Values(kGridStride));
INSTANTIATE_TEST_SUITE_P(VecAddGridStrideTest, DeviceAddTest, testing::Values(kGridStride));

}  // namespace
}  // namespace cuda_vecadd
