#include "grader/sandbox/jail/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>

#include "grader/sandbox/jail/error.h"

namespace grader {

std::optional<std::string> ReadOpenFile(int fd) {
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t got = pread(fd, block, sizeof block, static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return text;
    text.append(block, static_cast<std::size_t>(got));
  }
}

std::optional<std::string> ReadFile(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return std::nullopt;
  return ReadOpenFile(file.get());
}

bool WriteControlFile(const std::string& path, std::string_view value) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return false;
  return write(file.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

long long NumberAfter(std::string_view text, std::string_view key, long long fallback) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') continue;
    const std::string_view digits = line.substr(key.size() + 1);
    long long value = fallback;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }
  return fallback;
}

std::pair<Descriptor, Descriptor> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw JailError(std::string("cannot make a pipe: ") + strerror(errno) +
                    "\n  next: close files or raise `ulimit -n`");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Descriptor MakeMemoryFile(const char* name, std::string_view contents) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  const bool written = file.valid() && write(file.get(), contents.data(), contents.size()) ==
                                           static_cast<ssize_t>(contents.size());
  if (!written || lseek(file.get(), 0, SEEK_SET) != 0) {
    throw JailError(std::string("cannot make a memory file: ") + strerror(errno) +
                    "\n  next: close files or free memory");
  }
  return file;
}

}  // namespace grader
