#pragma once

#include <gtest/gtest.h>

#include "grader/sandbox/checker/larger_sizes.h"
#include "grader/sandbox/checker/session.h"

namespace grader::checker {

// Ties GoogleTest's events to the session: a suite (a part of the lab) has workers of its own and
// ends at its first failing test, which is the one that a student gets to see. Under a race checker
// it goes on after an answer that is wrong for no reason that the checker has seen.
class Listener : public testing::EmptyTestEventListener {
 public:
  // `sizes` is null unless tests run under a race checker.
  Listener(Session& session, LargerSizes* sizes) : session_(session), sizes_(sizes) {}

  void OnTestSuiteStart(const testing::TestSuite& suite) override;
  void OnTestStart(const testing::TestInfo& test) override;
  void OnTestPartResult(const testing::TestPartResult& part) override;
  void OnTestEnd(const testing::TestInfo& test) override;
  void OnTestSuiteEnd(const testing::TestSuite& suite) override;

 private:
  // Records how a test ended, and ends the worker with it if no other test needs it.
  void EndCase(const testing::TestInfo& test);

  // Whether the race checker saw no cause of a wrong answer: a later test may show it.
  bool GoesOnAfter(const Case& test) const;

  Session& session_;
  LargerSizes* sizes_;
};

}  // namespace grader::checker
