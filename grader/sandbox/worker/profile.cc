#include "grader/sandbox/worker/profile.h"

#include <stdlib.h>

#include "grader/sandbox/worker/find_in.h"

namespace grader::worker {
namespace {

constexpr char kVariable[] = "CUDASIM_PROFILE";

}  // namespace

Profile::Profile() {
  if (const char* const path = getenv(kVariable)) path_ = path;
}

void Profile::Find(void* library) {
  if (path_.empty()) return;
  FindIn(library, "cudasimResetProfile", reset_);
  FindIn(library, "cudasimWriteProfile", write_);
}

void Profile::Begin() const {
  if (reset_ != nullptr) reset_();
}

void Profile::End() const {
  if (write_ == nullptr) return;
  setenv(kVariable, path_.c_str(), 1);
  write_();
}

}  // namespace grader::worker
