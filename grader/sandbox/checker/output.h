#pragma once

#include <poll.h>

#include <array>
#include <cstddef>
#include <string>

#include "grader/sandbox/jail/descriptor.h"

namespace grader::checker {

// Counts what a worker prints and keeps the end of its stderr, in at most a few hundred KiB of
// memory.
class Output {
 public:
  // Room for four ThreadSanitizer stacks with long template names.
  static constexpr std::size_t kTailBytes = 64 << 10;

  // `limit`: bytes of stdout and stderr together. Throws JailError.
  explicit Output(std::size_t limit);

  // The ends for the worker; to be closed here once it has started.
  int stdout_writer() const { return streams_[0].writer.get(); }
  int stderr_writer() const { return streams_[1].writer.get(); }
  void CloseWriters();

  // For poll(); leaves out a stream that has ended.
  std::array<pollfd, 2> PollSet() const;

  // Reads what is there, at most a pipe's content per stream; never blocks.
  void Drain();

  bool over_limit() const { return total_ > limit_; }

  // The last kTailBytes of stderr.
  std::string ErrorTail() const;

 private:
  struct Stream {
    Descriptor reader;
    Descriptor writer;
  };

  void Read(Stream& stream, std::string* keep);

  std::array<Stream, 2> streams_;
  std::string tail_;
  std::size_t total_ = 0;
  std::size_t limit_;
};

}  // namespace grader::checker
