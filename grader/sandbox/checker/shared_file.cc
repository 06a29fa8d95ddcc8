#include "grader/sandbox/checker/shared_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <system_error>

namespace grader::checker {

void ThrowErrno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

SharedFile::SharedFile(const char* name) : file_(memfd_create(name, MFD_CLOEXEC)) {
  if (!file_.valid()) ThrowErrno("memfd_create");
}

void SharedFile::Clear() {
  if (ftruncate(fd(), 0) != 0) ThrowErrno("ftruncate of a shared file");
}

SharedText SharedFile::Read() const {
  SharedText shared;
  shared.text.resize(kMaxSharedBytes + 1);
  std::size_t size = 0;
  while (size < shared.text.size()) {
    const ssize_t got =
        pread(fd(), shared.text.data() + size, shared.text.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ThrowErrno("reading a shared file");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  shared.cut = size > kMaxSharedBytes;
  shared.text.resize(shared.cut ? kMaxSharedBytes : size);
  return shared;
}

}  // namespace grader::checker
