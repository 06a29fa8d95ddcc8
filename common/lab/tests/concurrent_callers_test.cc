#include "common/lab/exports/concurrent_callers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace {

constexpr int kCallers = 4;

std::atomic<int> started = 0;
std::atomic<int> finished_too_early = 0;
std::atomic<int> finished = 0;
unsigned expected = 0;
std::atomic<int> done = 0;

void* Stage(std::span<const lab::Argument>) { return nullptr; }

void Start(void*, void*) { ++started; }

// All but the first fail.
void StartOrThrow(void*, void*) {
  if (++started > 1) throw std::runtime_error("no start");
}

void Finish(void*) {
  if (started < kCallers) ++finished_too_early;
  ++finished;
}

void DoNothing(void*) {}

void RunAll(void (*start)(void*, void*), const lab::SimulatedCallers& simulated = {}) {
  started = finished_too_early = finished = 0;
  const lab::ExportedFunction function{"F", 0, 0, 0, Stage, start, Finish, DoNothing, DoNothing};
  lab::RunConcurrently(
      function, {}, kCallers - 1, [] {}, nullptr, nullptr, simulated);
}

// A caller that waited for its own work first would end before another one begins.
TEST(CompanyTest, WaitsForNoCallersWorkBeforeAllHaveBeenCalled) {
  for (int round = 0; round < 50; ++round) {
    RunAll(Start);
    EXPECT_EQ(finished, kCallers);
    EXPECT_EQ(finished_too_early, 0);
  }
}

// A caller that throws has returned, too.
TEST(CompanyTest, TellsTheSimulatorHowManyCallAndWhenEachReturns) {
  const auto expect = [](unsigned callers) {
    expected = callers;
    EXPECT_EQ(started, 0);
  };
  const lab::SimulatedCallers simulated{expect, [] { ++done; }};
  done = 0;
  EXPECT_THROW(RunAll(StartOrThrow, simulated), std::runtime_error);
  EXPECT_EQ(expected, static_cast<unsigned>(kCallers));
  EXPECT_EQ(done, kCallers);
}

TEST(CompanyTest, WaitsForTheWorkOfThoseThatDoNotThrow) {
  EXPECT_THROW(RunAll(StartOrThrow), std::runtime_error);
  EXPECT_EQ(started, kCallers);
  EXPECT_EQ(finished, 1);
}

}  // namespace
