#pragma once

// What a student sees of a test run: nothing about what is right but a closing line, the failing
// tests with their first failures, and one line for all functions that are not written yet.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace lab {

// How a run is told to be repeated: `command` without and `replay` with the seed.
struct RunCommands {
  std::string command;
  std::string replay;
};

// The commands for this process: `bazel test LABEL --test_env=LAB_SEED=7` where the environment
// has Bazel's TEST_TARGET, else `LAB_SEED=7 PROGRAM`.
RunCommands CommandsOf(const std::string& program, std::uint64_t seed);

// Replaces GoogleTest's printer. One per program; GoogleTest owns and calls it.
class TestPrinter : public testing::EmptyTestEventListener {
 public:
  // Writes to `out`, which must outlive it, and flushes after each event.
  TestPrinter(std::FILE* out, RunCommands commands);

  void OnTestStart(const testing::TestInfo& test) override;
  void OnTestPartResult(const testing::TestPartResult& result) override;
  void OnTestEnd(const testing::TestInfo& test) override;
  void OnTestProgramEnd(const testing::UnitTest& program) override;
};

// Takes GoogleTest's own printer away and installs a TestPrinter. After InitGoogleTest.
void InstallTestPrinter(std::FILE* out, RunCommands commands);

}  // namespace lab
