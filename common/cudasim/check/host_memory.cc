#include "common/cudasim/check/host_memory.h"

#include <link.h>
#include <pthread.h>

#include <cstdint>

#include "common/cudasim/runtime/scheduler/block.h"

namespace cudasim {
namespace {

struct Search {
  std::uintptr_t address;
  bool read_only = false;
  bool writable = false;
};

// Looks for the segment that holds the address.
int SearchModule(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD && header.p_type != PT_GNU_RELRO) continue;
    if (search.address - (info->dlpi_addr + header.p_vaddr) >= header.p_memsz) continue;
    if (header.p_type == PT_GNU_RELRO || (header.p_flags & PF_W) == 0) search.read_only = true;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0) search.writable = true;
  }
  return 0;
}

Search Find(const void* address) {
  Search search{reinterpret_cast<std::uintptr_t>(address)};
  dl_iterate_phdr(SearchModule, &search);
  return search;
}

bool IsHostStack(const void* address) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  const auto* const begin = static_cast<const char*>(low);
  return address >= begin && address < begin + bytes;
}

}  // namespace

bool IsRegister(const void* address) {
  const auto* const at = static_cast<const char*>(address);
  const auto in = [at](const auto& variable) {
    const auto* const begin = reinterpret_cast<const char*>(&variable);
    return at >= begin && at < begin + sizeof(variable);
  };
  return in(threadIdx) || in(blockIdx) || in(blockDim) || in(gridDim) || in(cudasim_cluster_dim);
}

// Kernels read constant tables often and near together, so the last page is remembered.
bool IsReadOnlyData(const void* address) {
  constexpr std::uintptr_t kPageBits = 12;
  static thread_local std::uintptr_t last_page = 0;
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(address) >> kPageBits;
  if (page == last_page) return true;
  if (!Find(address).read_only) return false;
  last_page = page;
  return true;
}

std::string DescribeHostPointer(const void* address) {
  const Search search = Find(address);
  if (search.read_only) return "a pointer to read-only host data";
  if (search.writable) return "a pointer to a host global variable";
  if (IsHostStack(address)) return "a pointer to a host local variable";
  return "a pointer to host memory (new, malloc, std::vector)";
}

}  // namespace cudasim
