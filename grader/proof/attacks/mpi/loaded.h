#pragma once

// How several attacks get past the policy, which refuses functions by their names; part of the lab
// only because submissions may include nothing else.

#include <cstdint>
#include <cstring>

namespace loaded {

template <typename T>
T At(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

// The function of that name in the loaded library that has `near`; null if there is none.
inline const char* Find(const void* near, const char* name) {
  const char* file =
      reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(near) / 4096 * 4096);
  while (std::memcmp(file, "\177ELF", 4) != 0) file -= 4096;
  const char* header = file + At<std::uint64_t>(file + 32);
  while (At<std::uint32_t>(header) != 2) header += 56;  // up to the table of tables
  const char* names = nullptr;
  const char* symbols = nullptr;
  const char* entry = file + At<std::uint64_t>(header + 16);
  for (; At<std::uint64_t>(entry) != 0; entry += 16) {
    const auto tag = At<std::uint64_t>(entry);
    if (tag == 5) names = At<const char*>(entry + 8);
    if (tag == 6) symbols = At<const char*>(entry + 8);
  }
  for (const char* symbol = symbols; symbol + 24 <= names; symbol += 24) {
    const bool is_defined = At<std::uint16_t>(symbol + 6) != 0;
    if (!is_defined || std::strcmp(names + At<std::uint32_t>(symbol), name) != 0) continue;
    return file + At<std::uint64_t>(symbol + 8);
  }
  return nullptr;
}

// The same as a function of that type.
template <typename F>
F* Function(const void* near, const char* name) {
  return reinterpret_cast<F*>(const_cast<char*>(Find(near, name)));
}

}  // namespace loaded
