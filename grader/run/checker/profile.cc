#include "grader/run/checker/profile.h"

#include <gtest/gtest.h>

#include "grader/run/checker/failure.h"
#include "grader/run/checker/properties.h"

namespace grader::checker {

void RecordProfile(const SharedText& profile) {
  const int count =
      testing::UnitTest::GetInstance()->current_test_info()->result()->test_property_count();
  if (count >= kMaxProfiles) {
    throw Failure(Verdict::kJudgeError,
                  "a counted test makes too many calls, limit " + std::to_string(kMaxProfiles));
  }
  if (profile.cut) return Record("profile_cut", "true");
  Record("profile_" + std::to_string(count), profile.text);
}

}  // namespace grader::checker
