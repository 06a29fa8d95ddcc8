#pragma once

#include <cstddef>
#include <string>

#include "grader/sandbox/jail/descriptor.h"

namespace grader::checker {

inline constexpr std::size_t kMaxSharedBytes = std::size_t{1} << 20;

// Throws std::system_error.
[[noreturn]] void ThrowErrno(const char* what);

// What a worker wrote. Not validated here: the reader of the result does that.
struct SharedText {
  std::string text;
  bool cut = false;  // there was more than kMaxSharedBytes
};

// A file in memory that the worker can write to. It is read while the worker is frozen, or dead.
class SharedFile {
 public:
  // `name` is for /proc. Throws std::system_error, as the others do.
  explicit SharedFile(const char* name);

  int fd() const { return file_.get(); }

  void Clear();
  SharedText Read() const;

 private:
  Descriptor file_;
};

}  // namespace grader::checker
