#include "common/lab/test_program/test_printer.h"

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/lab/test_program/not_written_log.h"

namespace lab {
namespace {

// Limits that keep the output readable.
constexpr std::size_t kFailuresPerTest = 3;
constexpr std::size_t kTestsInDetail = 10;

std::string Count(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string Seconds(testing::TimeInMillis milliseconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f s", static_cast<double>(milliseconds) / 1000);
  return text;
}

// Boilerplate that GoogleTest adds to failures.
bool IsBoilerplate(std::string_view line) {
  return line.empty() || line == "Failed" || line == "Google Test trace:";
}

// What EXPECT_TRUE adds to a comparison that has reported the first wrong element itself.
bool IsEchoOfComparison(std::string_view message, std::string_view line) {
  constexpr std::string_view kComparison = "Value of: lab::ExpectAll";
  if (!message.starts_with(kComparison)) return false;
  return line.starts_with(kComparison) || line == "  Actual: false" || line == "Expected: true";
}

}  // namespace

std::string ReplayCommand(const std::string& program, std::uint64_t seed) {
  const std::string setting = "LAB_SEED=" + std::to_string(seed);
  const char* target = std::getenv("TEST_TARGET");
  if (target == nullptr) return setting + " " + program;
  return std::string("bazel test ") + target + " --test_env=" + setting;
}

std::string FormatFailure(const testing::TestPartResult& result) {
  std::string text = "  ";
  if (result.file_name() != nullptr) {
    text += std::string(result.file_name()) + ":" + std::to_string(result.line_number()) + ": ";
  }
  std::istringstream lines(result.message());
  bool first = true;
  for (std::string line; std::getline(lines, line);) {
    if (IsBoilerplate(line) || IsEchoOfComparison(result.message(), line)) continue;
    text += (first ? "" : "\n    ") + line;
    first = false;
  }
  return text;
}

TestPrinter::TestPrinter(std::FILE* out, std::string replay_command)
    : out_(out), replay_command_(std::move(replay_command)) {}

void TestPrinter::Install(std::FILE* out, std::string replay_command) {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new TestPrinter(out, std::move(replay_command)));
}

void TestPrinter::OnTestStart(const testing::TestInfo& test) {
  test_name_ = std::string(test.test_suite_name()) + "." + test.name();
  calls_before_ = NotWrittenLog::Global().calls();
  failures_ = 0;
}

void TestPrinter::OnTestPartResult(const testing::TestPartResult& result) {
  if (result.skipped()) {
    PrintLine("SKIP " + test_name_ + "\n" + FormatFailure(result));
  } else if (result.failed() && !CalledUnwritten()) {
    PrintFailure(result);
  }
}

void TestPrinter::OnTestEnd(const testing::TestInfo& test) {
  if (failures_ > kFailuresPerTest && failed_ < kTestsInDetail) {
    PrintLine("  and " + Count(failures_ - kFailuresPerTest, "more failure", "more failures"));
  }
  if (failures_ > 0) {
    ++failed_;
  } else if (CalledUnwritten()) {
    ++unwritten_;
  } else if (test.result()->Passed()) {
    ++passed_;
  }
  test_name_ = "(outside of a test)";
  failures_ = 0;
}

void TestPrinter::OnTestProgramEnd(const testing::UnitTest& program) {
  failures_outside_ = failures_;
  const std::string unwritten = NotWrittenLog::Global().Describe();
  const bool anything_failed = failed_ + failures_outside_ > 0;
  if (!unwritten.empty() && !anything_failed) {
    const std::string others =
        passed_ == 0 ? "" : " (" + Count(passed_, "test passes", "tests pass") + ")";
    PrintLine(unwritten + others);
    return;
  }
  if (!unwritten.empty()) PrintLine(unwritten);
  // Nothing ran: main() tells the reason.
  if (passed_ + failed_ + failures_outside_ == 0) return;
  PrintLine(Summary(program));
  if (anything_failed) PrintLine("  next: the same inputs again: " + replay_command_);
}

bool TestPrinter::CalledUnwritten() const {
  return NotWrittenLog::Global().calls() > calls_before_;
}

void TestPrinter::PrintFailure(const testing::TestPartResult& result) {
  ++failures_;
  if (failed_ >= kTestsInDetail) return;
  if (failures_ == 1) PrintLine("FAIL " + test_name_);
  if (failures_ <= kFailuresPerTest) PrintLine(FormatFailure(result));
}

void TestPrinter::PrintLine(const std::string& line) {
  std::fprintf(out_, "%s\n", line.c_str());
  std::fflush(out_);
}

std::string TestPrinter::Summary(const testing::UnitTest& program) const {
  const std::string time = " (" + Seconds(program.elapsed_time()) + ")";
  if (failed_ + failures_outside_ == 0) {
    return Count(passed_, "test passed", "tests passed") + time;
  }
  std::string text =
      Count(failed_, "test failed", "tests failed") + ", " + Count(passed_, "passed", "passed");
  if (failed_ > kTestsInDetail) {
    text += "; shown are the first " + std::to_string(kTestsInDetail);
  }
  if (unwritten_ > 0) {
    text += ", " + Count(unwritten_, "waits", "wait") + " for a function that is not written yet";
  }
  return text + time;
}

}  // namespace lab
