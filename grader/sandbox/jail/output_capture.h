#pragma once

#include <cstddef>
#include <string>

#include "grader/sandbox/jail/descriptor.h"

namespace grader {

// Keeps what a jailed program writes, up to a cap. Pass write_end() to the jail (as 1, 2 or both),
// then CloseWriteEnd(), then Drain() whenever fd() is readable. Not thread-safe.
class OutputCapture {
 public:
  // Throws JailError.
  explicit OutputCapture(std::size_t cap_bytes);

  int write_end() const { return writer_.get(); }
  void CloseWriteEnd() { writer_.Close(); }
  int fd() const { return reader_.get(); }

  // Reads the available bytes; never blocks. False when all write ends are closed. Discards bytes
  // beyond the cap; does not stop the writer.
  bool Drain();

  const std::string& text() const { return text_; }
  bool overflowed() const { return overflowed_; }

 private:
  std::size_t cap_;
  Descriptor reader_, writer_;
  std::string text_;
  bool overflowed_ = false;
};

}  // namespace grader
