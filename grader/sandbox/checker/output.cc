#include "grader/sandbox/checker/output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <tuple>

#include "grader/sandbox/jail/files.h"

namespace grader::checker {

Output::Output(std::size_t limit) : limit_(limit) {
  for (Stream& stream : streams_) {
    std::tie(stream.reader, stream.writer) = MakePipe();
    fcntl(stream.reader.get(), F_SETFL, O_NONBLOCK);
  }
}

void Output::CloseWriters() {
  for (Stream& stream : streams_) stream.writer.Close();
}

std::array<pollfd, 2> Output::PollSet() const {
  return {{{streams_[0].reader.get(), POLLIN, 0}, {streams_[1].reader.get(), POLLIN, 0}}};
}

void Output::Drain() {
  Read(streams_[0], nullptr);
  Read(streams_[1], &tail_);
}

std::string Output::ErrorTail() const {
  return tail_.size() <= kTailBytes ? tail_ : tail_.substr(tail_.size() - kTailBytes);
}

void Output::Read(Stream& stream, std::string* keep) {
  std::array<char, std::size_t{16} << 10> buffer;
  constexpr int kMaxReads = 8;  // a writer that never pauses must not keep us here
  for (int i = 0; i < kMaxReads && stream.reader.valid(); ++i) {
    const ssize_t got = read(stream.reader.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return stream.reader.Close();
    total_ += static_cast<std::size_t>(got);
    if (keep == nullptr) continue;
    keep->append(buffer.data(), static_cast<std::size_t>(got));
    if (keep->size() > 4 * kTailBytes) keep->erase(0, keep->size() - kTailBytes);
  }
}

}  // namespace grader::checker
