#include "grader/sandbox/wire/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

namespace grader::wire {

void SetText(Reply& reply, std::string_view text) {
  const std::size_t size = std::min(text.size(), kMaxTextBytes);
  memcpy(reply.text, text.data(), size);
  reply.text_size = static_cast<std::uint32_t>(size);
}

std::string_view Text(const Reply& reply) {
  return {reply.text, std::min<std::size_t>(reply.text_size, kMaxTextBytes)};
}

bool SetFunction(Request& request, std::string_view name) {
  if (name.size() >= kMaxNameBytes) return false;
  memset(request.function, 0, kMaxNameBytes);
  memcpy(request.function, name.data(), name.size());
  return true;
}

std::string_view FunctionName(const Request& request) {
  return {request.function, strnlen(request.function, kMaxNameBytes)};
}

bool WriteFrame(int fd, const void* frame, std::size_t size) {
  for (;;) {
    const ssize_t written = write(fd, frame, size);  // whole or not at all: size <= PIPE_BUF
    if (written == static_cast<ssize_t>(size)) return true;
    if (written < 0 && errno == EINTR) continue;
    return false;
  }
}

bool ReadFrame(int fd, void* frame, std::size_t size) {
  auto* next = static_cast<char*>(frame);
  while (size > 0) {
    const ssize_t got = read(fd, next, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace grader::wire
