// Proves the reports on functions whose runtime calls fail.

#include "common/lab/call/failing_call.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/device_span.h"
#include "common/lab/testing/function.h"

namespace {

using Host = void(std::span<int>);
using Device = void(DeviceSpan<int>, cudaStream_t);

const lab::Function<Device> twice{"Double"};
const lab::Function<Device> twice_carelessly{"DoubleCarelessly"};
const lab::Function<Device> twice_in_memory_of_the_stream{"DoubleInMemoryOfTheStream"};
const lab::Function<Host> twice_host{"DoubleHost"};
const lab::Function<Host> twice_host_without_a_look{"DoubleHostWithoutALook"};
const lab::Function<Host> twice_host_and_leak{"DoubleHostAndLeak"};
const lab::Function<void()> wait_three_hundred_times{"WaitThreeHundredTimes"};

class FirstUnreportedFailureTest : public testing::Test {
 protected:
  // Calls `function` with three numbers; empty if it reports what fails.
  template <typename F>
  std::string Unreported(const lab::Function<F>& function) {
    return UnreportedOf([&] {
      std::vector<int> values = {1, 2, 3};
      function(values);
    });
  }

  std::string UnreportedOf(const std::function<void()>& call) {
    const std::optional<std::string> unreported = lab::FirstUnreportedFailure(call);
    if (unreported) return *unreported;
    is_skipped_ = true;
    return "";
  }

  // The functions still work after all those failures.
  void TearDown() override {
    std::vector<int> values = {1, 2, 3};
    twice_host(values);
    EXPECT_EQ(values, (std::vector{2, 4, 6}));
    if (is_skipped_) GTEST_SKIP() << "runtime calls can be made to fail on the simulator only";
  }

  bool is_skipped_ = false;
};

TEST_F(FirstUnreportedFailureTest, IsEmptyForFunctionsThatThrowAndFree) {
  EXPECT_EQ(Unreported(twice), "");
  EXPECT_EQ(Unreported(twice_host), "");
  EXPECT_EQ(Unreported(twice_in_memory_of_the_stream), "");
}

TEST_F(FirstUnreportedFailureTest, NamesALaunchThatNobodyChecks) {
  const std::string unreported = Unreported(twice_carelessly);
  if (is_skipped_) return;
  EXPECT_EQ(
      unreported,
      "runtime call number 1, a kernel launch, failed, and the function returned as if it had "
      "not: check what every call returns, and cudaGetLastError() after a launch");
}

TEST_F(FirstUnreportedFailureTest, NamesACopyThatNobodyChecks) {
  const std::string unreported = Unreported(twice_host_without_a_look);
  if (is_skipped_) return;
  EXPECT_EQ(unreported.find("runtime call number 4, cudaMemcpy, failed, and the function returned"),
            0u)
      << unreported;
}

TEST_F(FirstUnreportedFailureTest, CountsWhatIsLeftBehind) {
  const std::string unreported = Unreported(twice_host_and_leak);
  if (is_skipped_) return;
  EXPECT_EQ(
      unreported,
      "runtime call number 2, cudaMemcpy, failed, and 1 of the function's allocations, streams "
      "and events were left behind: free them before the exception leaves the function, best "
      "in a destructor");
}

TEST_F(FirstUnreportedFailureTest, GivesUpOnFunctionsWithManyCalls) {
  const std::string unreported = UnreportedOf([] { wait_three_hundred_times(); });
  if (is_skipped_) return;
  EXPECT_EQ(unreported, "the function makes more than 200 runtime calls");
}

}  // namespace
