// Tests after which every call of the process fails, because the error of a kernel is sticky.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

// Calls `test` in a process of its own, where its expectations must hold and what it writes to
// standard error must match.
inline void ExpectInOwnProcess(void (*test)(), const char* text) {
  EXPECT_EXIT((test(), std::exit(testing::Test::HasFailure() ? 1 : 0)), testing::ExitedWithCode(0),
              text);
}
