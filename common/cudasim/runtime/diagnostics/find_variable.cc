// Variables by their addresses, from the symbol table of the program or library that has them.
// (libbacktrace's search may miss one that begins where an empty symbol lies, as __TMC_END__ does.)
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <fstream>
#include <vector>

#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {
namespace {

struct Module {
  std::uintptr_t address;  // of something in it
  std::uintptr_t base = 0;
  std::string file;
};

int FindModule(dl_phdr_info* info, std::size_t, void* data) {
  auto& module = *static_cast<Module*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    if (module.address - (info->dlpi_addr + header.p_vaddr) >= header.p_memsz) continue;
    module.base = info->dlpi_addr;
    module.file = info->dlpi_name[0] == '\0' ? "/proc/self/exe" : info->dlpi_name;
    return 1;
  }
  return 0;
}

template <class T>
std::vector<T> Read(std::ifstream& file, std::uint64_t offset, std::uint64_t bytes) {
  std::vector<T> items(bytes / sizeof(T));
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(items.data()), static_cast<std::streamsize>(bytes));
  if (!file) items.clear();
  return items;
}

std::string WithoutNamespace(std::string name) {
  const std::string nameless = "(anonymous namespace)::";
  return name.starts_with(nameless) ? name.substr(nameless.size()) : name;
}

// `address` is relative to where the module was loaded.
Symbol FindIn(const std::vector<ElfW(Sym)>& symbols, const std::vector<char>& names,
              std::uintptr_t address) {
  for (const ElfW(Sym) & symbol : symbols) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
    if (address - symbol.st_value >= symbol.st_size || symbol.st_name >= names.size()) continue;
    return {WithoutNamespace(Demangle(&names[symbol.st_name])), address - symbol.st_value};
  }
  return {};
}

}  // namespace

Symbol FindVariable(const void* address) {
  Module module{reinterpret_cast<std::uintptr_t>(address)};
  if (dl_iterate_phdr(FindModule, &module) == 0) return {};
  std::ifstream file(module.file, std::ios::binary);
  const auto header = Read<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
  if (header.empty()) return {};
  const auto sections = Read<ElfW(Shdr)>(file, header[0].e_shoff,
                                         std::uint64_t{header[0].e_shnum} * sizeof(ElfW(Shdr)));
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr)& strings = sections[section.sh_link];
    return FindIn(Read<ElfW(Sym)>(file, section.sh_offset, section.sh_size),
                  Read<char>(file, strings.sh_offset, strings.sh_size),
                  module.address - module.base);
  }
  return {};
}

}  // namespace cudasim
