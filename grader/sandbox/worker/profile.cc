#include "grader/sandbox/worker/profile.h"

#include <stdlib.h>

#include "common/lab/exports/simulator.h"

namespace grader::worker {
namespace {

constexpr char kVariable[] = "CUDASIM_PROFILE";

}  // namespace

Profile::Profile() {
  if (const char* const path = getenv(kVariable)) path_ = path;
}

void Profile::Begin() const {
  if (!path_.empty() && &simulatorResetProfile != nullptr) simulatorResetProfile();
}

void Profile::End() const {
  if (path_.empty() || &simulatorWriteProfile == nullptr) return;
  setenv(kVariable, path_.c_str(), 1);
  simulatorWriteProfile();
}

}  // namespace grader::worker
