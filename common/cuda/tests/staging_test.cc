// Proves how device spans and streams are made for a lab's function, on the simulator or a GPU.

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/lab/exports/exports.h"

namespace {

using lab::Argument;
using lab::ExportedFunction;

// cudaErrorInvalidConfiguration up to CUDA 12, cudaErrorInvalidValue from 13 on.
constexpr char kBadLaunch[] = "(cudaErrorInvalid";

const ExportedFunction& Exported(std::string_view name) {
  const lab::ExportTable& table = *LabExports();
  for (std::size_t i = 0; i < table.count; ++i) {
    if (table.functions[i].name == name) return table.functions[i];
  }
  throw std::out_of_range("no such function");
}

Argument Input(std::vector<int>& values) {
  return {Argument::Kind::kInput, sizeof(int), alignof(int), values.data(), values.size()};
}

Argument InOut(std::vector<int>& values) {
  return {Argument::Kind::kInOut, sizeof(int), alignof(int), values.data(), values.size()};
}

// A staged call, released at the end of the scope.
class Staged {
 public:
  Staged(std::string_view name, std::vector<Argument> arguments)
      : function_(Exported(name)), staged_(function_.stage(arguments)) {}
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;
  ~Staged() { function_.release(staged_); }

  void Run(void* result = nullptr) { function_.Run(staged_, result); }
  void Fetch() { function_.fetch(staged_); }

  // What Run threw.
  std::string RunError() {
    try {
      Run();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "returned";
  }

 private:
  const ExportedFunction& function_;
  void* staged_;
};

TEST(StagingTest, CopiesInputsInAndOutputsBackWhenFetched) {
  std::vector<int> in(1000);
  std::iota(in.begin(), in.end(), -500);
  std::vector<int> out(1000, 7);
  std::uint64_t count = 0;
  Staged call("Double", {Input(in), InOut(out)});
  call.Run(&count);
  EXPECT_EQ(count, 1000u);
  EXPECT_EQ(out, std::vector<int>(1000, 7)) << "before fetch";
  call.Fetch();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(out[i], 2 * in[i]) << i;
}

TEST(StagingTest, GivesTheFunctionWhatTheOutputHeldBefore) {
  std::vector<int> in;
  std::vector<int> out = {1, 2, 3};
  std::uint64_t count = 9;
  Staged call("Double", {Input(in), InOut(out)});
  call.Run(&count);
  out.assign(3, 0);
  call.Fetch();
  EXPECT_EQ(out, (std::vector{1, 2, 3}));
  EXPECT_EQ(count, 0u);
}

TEST(StagingTest, LeavesTheHostsInputAlone) {
  std::vector<int> in = {1};
  std::vector<int> out = {0};
  std::uint64_t count = 0;
  Staged call("Double", {Input(in), InOut(out)});
  in[0] = 50;
  call.Run(&count);
  call.Fetch();
  EXPECT_EQ(in[0], 50);
  EXPECT_EQ(out[0], 2);
}

TEST(StagingTest, TakesNoArgumentForTheStream) {
  std::vector<int> values(1);
  EXPECT_EQ(Exported("Double").argument_count, 2u);
  EXPECT_THROW(Exported("Double").stage(std::array{Input(values)}), std::invalid_argument);
}

TEST(StagingTest, GivesAStreamThatTheDefaultStreamDoesNotWaitFor) {
  unsigned flags = cudaStreamDefault;
  Staged("FlagsOf", {}).Run(&flags);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
}

TEST(StagingTest, PutsPinnedSpansWhereCopiesReachThem) {
  std::vector<int> in = {1, 2, 3};
  std::vector<int> out(3, 7);
  Staged call("DoublePinned", {Input(in), InOut(out)});
  call.Run();
  EXPECT_EQ(out, std::vector<int>(3, 7)) << "before fetch";
  call.Fetch();
  EXPECT_EQ(out, (std::vector{2, 4, 6}));
  EXPECT_EQ(in, (std::vector{1, 2, 3}));
}

TEST(StagingTest, PutsManagedSpansWhereHostAndDeviceReachThem) {
  std::vector<int> values = {1, 2, 3};
  Staged call("DoubleManaged", {InOut(values)});
  call.Run();
  call.Fetch();
  EXPECT_EQ(values, (std::vector{4, 4, 6}));
}

TEST(StagingTest, TakesEmptySpansOfTheHost) {
  std::vector<int> none;
  Staged call("CopyPinnedLater", {Input(none)});
  call.Fetch();
}

#ifdef __CUDASIM__
TEST(StagingTest, ReportsWorkOnItsMemoryThatTheFunctionLeftBehind) {
  if (cudasimChecks() == 0) GTEST_SKIP() << "only check mode sees it";
  std::vector<int> values(100);
  EXPECT_EXIT(
      {
        Staged call("CopyPinnedLater", {Input(values)});
        call.Run();
        call.Fetch();
      },
      testing::ExitedWithCode(67),
      "cudasim: missing_synchronisation: the function returned, and cudaMemcpyAsync at .*/"
      "doubling.cu:[0-9]+ still reads its argument\n  memory: PinnedSpan<const T>");
  EXPECT_EXIT(
      {
        Staged call("DoubleManagedLater", {InOut(values)});
        call.Run();
        call.Fetch();
      },
      testing::ExitedWithCode(67),
      "cudasim: missing_synchronisation: the function returned, and kernel DoubleKernel still "
      "(reads|writes) at .*/doubling.cu:[0-9]+ its argument\n  memory: ManagedSpan<T>");
}
#endif

// True on the simulator that checks: it ends the process at a bad launch, as this expects.
bool DiesOfABadLaunch(const std::string& function) {
#ifdef __CUDASIM__
  if (cudasimChecks() == 0) return false;
  std::vector<int> in(4);
  std::vector<int> out(4);
  Staged call(function, {Input(in), InOut(out)});
  EXPECT_EXIT(call.RunError(), testing::ExitedWithCode(67),
              "cudasim: invalid_launch: kernel DoubleKernel launched at .*/doubling.cu:");
  return true;
#else
  return false;
#endif
}

TEST(StagingTest, ReportsALaunchThatFailedUnseen) {
  if (DiesOfABadLaunch("DoubleCarelessly")) return;
  std::vector<int> in(4);
  std::vector<int> out(4);
  Staged call("DoubleCarelessly", {Input(in), InOut(out)});
  const std::string error = call.RunError();
  EXPECT_NE(error.find("a kernel launch or CUDA call failed"), std::string::npos) << error;
  EXPECT_NE(error.find(kBadLaunch), std::string::npos) << error;
}

TEST(StagingTest, DoesNotBlameACallForTheErrorOfAnEarlierOne) {
  std::vector<int> in = {4};
  std::vector<int> out = {0};
  std::uint64_t count = 0;
  EXPECT_EQ(Staged("Refuse", {InOut(out)}).RunError(), "too much");
  Staged call("Double", {Input(in), InOut(out)});
  call.Run(&count);
  call.Fetch();
  EXPECT_EQ(out[0], 8);
}

TEST(CheckTest, NamesPlaceCallAndError) {
  if (DiesOfABadLaunch("DoubleCarefully")) return;
  std::vector<int> in(4);
  std::vector<int> out(4);
  const std::string error = Staged("DoubleCarefully", {Input(in), InOut(out)}).RunError();
  EXPECT_EQ(error.find("error: CUDA call failed: common/cuda/tests/doubling.cu:"), 0u) << error;
  EXPECT_NE(error.find(": cudaGetLastError(): "), std::string::npos) << error;
  EXPECT_NE(error.find(kBadLaunch), std::string::npos) << error;
}

}  // namespace
