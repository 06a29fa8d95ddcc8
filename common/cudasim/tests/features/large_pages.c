// Preloaded, makes the system's pages look four times as large to a program: calls that need
// addresses at the begin of a page fail as they would there, and new mappings begin at one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uintptr_t kPage = 16384;

static size_t WholePages(size_t bytes) { return (bytes + kPage - 1) & ~(kPage - 1); }

static long OnPages(long call, void* begin, size_t bytes, int value) {
  if (((uintptr_t)begin & (kPage - 1)) == 0) return syscall(call, begin, WholePages(bytes), value);
  errno = EINVAL;
  return -1;
}

int mprotect(void* begin, size_t bytes, int protection) {
  return (int)OnPages(SYS_mprotect, begin, bytes, protection);
}

int madvise(void* begin, size_t bytes, int advice) {
  return (int)OnPages(SYS_madvise, begin, bytes, advice);
}

void* mmap(void* begin, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (begin != NULL && ((uintptr_t)begin & (kPage - 1)) != 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  const int moves = begin == NULL && (flags & MAP_ANONYMOUS) != 0;
  const size_t whole = moves ? WholePages(bytes) + kPage : bytes;
  const long at = syscall(SYS_mmap, begin, whole, protection, flags, file, offset);
  if (at == -1 || !moves) return (void*)at;
  return (void*)WholePages((size_t)at);
}

long sysconf(int name) {
  long (*const original)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  if (name == _SC_PAGESIZE) return (long)kPage;
  return name == _SC_PHYS_PAGES ? original(name) / 4 : original(name);
}
