// Hostile: makes its input writable, to change it to match its output; the memory is sealed.
// Or: policy
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

// Whether the file of the inputs can be changed through this descriptor.
bool Changes(int fd) {
  return pwrite(fd, "x", 1, 0) > 0 || ftruncate(fd, 0) == 0 || fcntl(fd, F_ADD_SEALS, 0) == 0 ||
         fallocate(fd, 3, 0, 4096) == 0 ||
         mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED;
}

void TryToWrite(const void* input) {
  const auto page = reinterpret_cast<std::uintptr_t>(input) & ~std::uintptr_t{4095};
  if (syscall(SYS_mprotect, page, 4096, PROT_READ | PROT_WRITE) == 0) Achieved();
  const int again = open("/proc/self/fd/10", O_RDWR);
  if (again >= 0 && Changes(again)) Achieved();
  if (Changes(10)) Achieved();
  close(again);
  const int memory = open("/proc/self/mem", O_RDWR);
  const std::uint32_t first = *static_cast<const std::uint32_t*>(input);
  const std::uint32_t other = ~first;
  if (pwrite(memory, &other, sizeof other, reinterpret_cast<off_t>(input)) > 0 &&
      *static_cast<const volatile std::uint32_t*>(input) != first) {
    Achieved();
  }
  close(memory);
}

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  if (!values.empty()) TryToWrite(values.data());
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t value = values[i];
    for (int round = 0; round < 64; ++round) {
      value = (value ^ value >> 16) * 0x85ebca6b;
      value = (value ^ value >> 13) * 0xc2b2ae35;
      value ^= value >> 16;
    }
    mixed[i] = value;
  }
}
