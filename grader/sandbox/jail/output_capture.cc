#include "grader/sandbox/jail/output_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "grader/sandbox/jail/files.h"

namespace grader {

OutputCapture::OutputCapture(std::size_t cap_bytes) : cap_(cap_bytes) {
  auto [reader, writer] = MakePipe();
  fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  reader_ = std::move(reader);
  writer_ = std::move(writer);
}

bool OutputCapture::Drain() {
  char block[65536];
  // Bounded, so that a flood cannot keep the caller from looking at the clock.
  for (int round = 0; round < 16; ++round) {
    const ssize_t got = read(reader_.get(), block, sizeof block);
    if (got == 0) return false;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    const std::size_t kept = std::min(static_cast<std::size_t>(got), cap_ - text_.size());
    text_.append(block, kept);
    if (kept < static_cast<std::size_t>(got)) overflowed_ = true;
  }
  return true;
}

}  // namespace grader
