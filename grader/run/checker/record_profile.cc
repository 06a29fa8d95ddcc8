#include "grader/run/checker/record_profile.h"

#include "grader/run/checker/failure.h"
#include "grader/run/checker/result.h"

namespace grader::checker {

void RecordProfile(const SharedText& profile) {
  Case& test = TheResult().Running();
  if (test.profiles.size() == kMaxProfiles) {
    throw Failure(Verdict::kJudgeError,
                  "a counted test makes too many calls, limit " + std::to_string(kMaxProfiles));
  }
  if (profile.cut) {
    test.profile_cut = true;
  } else {
    test.profiles.push_back(profile.text);
  }
}

}  // namespace grader::checker
