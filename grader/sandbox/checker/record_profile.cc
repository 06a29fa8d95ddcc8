#include "grader/sandbox/checker/record_profile.h"

#include "grader/sandbox/checker/failure.h"
#include "grader/sandbox/checker/result.h"

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
