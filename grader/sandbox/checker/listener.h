#pragma once

#include <gtest/gtest.h>

#include "grader/sandbox/checker/session.h"

namespace grader::checker {

// Ties GoogleTest's events to the session: a suite (a part of the lab) has workers of its own and
// ends at its first failing test, which is the one that a student gets to see.
class Listener : public testing::EmptyTestEventListener {
 public:
  explicit Listener(Session& session) : session_(session) {}

  void OnTestSuiteStart(const testing::TestSuite& suite) override;
  void OnTestStart(const testing::TestInfo& test) override;
  void OnTestPartResult(const testing::TestPartResult& part) override;
  void OnTestEnd(const testing::TestInfo& test) override;
  void OnTestSuiteEnd(const testing::TestSuite& suite) override;

 private:
  Session& session_;
};

}  // namespace grader::checker
