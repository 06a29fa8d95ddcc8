#pragma once

#include <cstddef>
#include <string>

#include "grader/run/jail/descriptor.h"

namespace grader::checker {

// What a worker says that the CUDA simulator counted. Not looked at here: whoever reads the result
// checks it.
struct ProfileText {
  std::string text;
  bool cut = false;  // there was more than kMaxProfileBytes
};

inline constexpr std::size_t kMaxProfileBytes = std::size_t{1} << 20;
inline constexpr int kMaxProfiles = 64;  // of one test

// A file in memory that the worker can write to. It is read while the worker is frozen.
class ProfileFile {
 public:
  // Throws std::system_error, as the others do.
  ProfileFile();

  int fd() const { return file_.get(); }

  void Clear();
  ProfileText Read() const;

 private:
  Descriptor file_;
};

// Adds it to the running test's result as `profile_N`, or `profile_cut`. Throws Failure when there
// are too many: the hidden test is to blame.
void RecordProfile(const ProfileText& profile);

}  // namespace grader::checker
