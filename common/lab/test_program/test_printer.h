#pragma once

// What a student sees of a test run: the failing tests with their first failures, one line for all
// functions that are not written yet, and a closing line. Passing tests are only counted.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace lab {

// The command that runs this program again with the same inputs: `bazel test LABEL
// --test_env=LAB_SEED=7` where the environment has Bazel's TEST_TARGET, else `LAB_SEED=7 PROGRAM`.
std::string ReplayCommand(const std::string& program, std::uint64_t seed);

// A GoogleTest message without boilerplate, its first line after its place and the others indented
// below: `  sum_test.cc:31: element 17 of ...`.
std::string FormatFailure(const testing::TestPartResult& result);

// Takes the place of GoogleTest's printer. One per program. After a call of a function that is not
// written (NotWrittenLog::Global), further failures of that test follow from it and are left out.
class TestPrinter : public testing::EmptyTestEventListener {
 public:
  // Writes to `out`, which must outlive it, and flushes after each line: a crash loses nothing.
  TestPrinter(std::FILE* out, std::string replay_command);

  // Takes GoogleTest's own printer away and installs a TestPrinter, which GoogleTest owns. After
  // InitGoogleTest.
  static void Install(std::FILE* out, std::string replay_command);

  void OnTestStart(const testing::TestInfo& test) override;
  void OnTestPartResult(const testing::TestPartResult& result) override;
  void OnTestEnd(const testing::TestInfo& test) override;
  void OnTestProgramEnd(const testing::UnitTest& program) override;

 private:
  bool CalledUnwritten() const;
  void PrintFailure(const testing::TestPartResult& result);
  void PrintLine(const std::string& line);
  std::string Summary(const testing::UnitTest& program) const;

  std::FILE* out_;
  std::string replay_command_;

  // Of the test that runs now.
  std::string test_name_ = "(outside of a test)";
  std::size_t calls_before_ = 0;  // of functions that are not written
  std::size_t failures_ = 0;

  // Of the whole run, in tests.
  std::size_t passed_ = 0;
  std::size_t failed_ = 0;
  std::size_t unwritten_ = 0;
  std::size_t failures_outside_ = 0;
};

}  // namespace lab
