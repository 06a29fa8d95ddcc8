#include "grader/run/checker/profile.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <system_error>

#include "grader/run/checker/failure.h"
#include "grader/run/checker/properties.h"

namespace grader::checker {
namespace {

[[noreturn]] void ThrowErrno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

ProfileFile::ProfileFile() : file_(memfd_create("profile", MFD_CLOEXEC)) {
  if (!file_.valid()) ThrowErrno("memfd_create");
}

void ProfileFile::Clear() {
  if (ftruncate(fd(), 0) != 0) ThrowErrno("ftruncate of the profile");
}

ProfileText ProfileFile::Read() const {
  ProfileText profile;
  profile.text.resize(kMaxProfileBytes + 1);
  std::size_t size = 0;
  while (size < profile.text.size()) {
    const ssize_t got = pread(fd(), profile.text.data() + size, profile.text.size() - size,
                              static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ThrowErrno("reading the profile");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  profile.cut = size > kMaxProfileBytes;
  profile.text.resize(profile.cut ? kMaxProfileBytes : size);
  return profile;
}

void RecordProfile(const ProfileText& profile) {
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
