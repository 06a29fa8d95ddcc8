#include "grader/sandbox/checker/listener.h"

#include <cstring>

#include "grader/sandbox/checker/result.h"

namespace grader::checker {
namespace {

bool IsLastToRun(const testing::TestInfo& test) {
  const testing::TestSuite& suite = *testing::UnitTest::GetInstance()->current_test_suite();
  for (int i = suite.total_test_count() - 1; i >= 0; --i) {
    const testing::TestInfo& other = *suite.GetTestInfo(i);
    if (other.should_run()) return strcmp(other.name(), test.name()) == 0;
  }
  return false;
}

// By GoogleTest's message for an exception that left the test. A failed call throws, too, but has
// its verdict already.
bool Threw(const testing::TestInfo& test) {
  for (int i = 0; i < test.result()->total_part_count(); ++i) {
    const testing::TestPartResult& part = test.result()->GetTestPartResult(i);
    if (part.failed() && part.line_number() < 0 &&
        strstr(part.message(), "C++ exception") != nullptr) {
      return true;
    }
  }
  return false;
}

bool IsOfLimit(Verdict verdict) {
  return verdict == Verdict::kTimeLimit || verdict == Verdict::kMemoryLimit ||
         verdict == Verdict::kKilled || verdict == Verdict::kJudgeError;
}

}  // namespace

void Listener::OnTestSuiteStart(const testing::TestSuite& /*suite*/) {
  GTEST_FLAG_SET(fail_fast, true);  // for this suite: OnTestSuiteEnd clears it
}

void Listener::OnTestStart(const testing::TestInfo& test) {
  TheResult().Begin(test.test_suite_name(), test.name());
  if (sizes_ != nullptr) sizes_->Begin(test.test_suite_name(), test.name());
}

void Listener::OnTestPartResult(const testing::TestPartResult& part) {
  if (part.failed()) TheResult().Running().failures.emplace_back(part.message());
  if (part.skipped()) TheResult().Running().skipped = true;
}

void Listener::OnTestEnd(const testing::TestInfo& test) {
  if (sizes_ != nullptr) sizes_->End(test.result()->Passed());
  EndCase(test);
  GTEST_FLAG_SET(fail_fast, !GoesOnAfter(TheResult().Running()));
  // Larger sizes may take more time or memory than a program is allowed.
  if (sizes_ == nullptr || !sizes_->IsRepeating()) return;
  const Case& repeated = TheResult().Running();
  const bool is_finding =
      repeated.verdict ? !IsOfLimit(*repeated.verdict) : test.result()->Failed();
  if (!is_finding) TheResult().Forget();
}

void Listener::EndCase(const testing::TestInfo& test) {
  const bool recorded = session_.TakeRecorded();
  if (test.result()->Failed()) {
    if (!recorded && Threw(test)) {
      RecordVerdict(Verdict::kJudgeError, "the hidden test itself threw an exception", "");
    } else if (!recorded && session_.options().mode == Mode::kRaces) {
      // The schedule that the checker chose may explain a wrong answer.
      TheResult().Running().findings = session_.StudentFindings();
      TheResult().Running().error_output = session_.StudentErrorOutput();
    }
    // Where tests go on, a new worker's first call might be one of several at once.
    if (!GoesOnAfter(TheResult().Running()) || IsLastToRun(test)) session_.EndSuite();
    return;
  }
  if (session_.options().mode == Mode::kTiming || !IsLastToRun(test)) return;
  if (const std::optional<std::string> detail = session_.QuitStudent()) ADD_FAILURE() << *detail;
}

bool Listener::GoesOnAfter(const Case& test) const {
  return session_.options().mode == Mode::kRaces && !test.verdict && test.findings.empty();
}

void Listener::OnTestSuiteEnd(const testing::TestSuite& /*suite*/) {
  GTEST_FLAG_SET(fail_fast, false);
  session_.EndSuite();
}

}  // namespace grader::checker
