// Programs in one executable; the command line selects one by name.
#pragma once

#include <vector>

struct NamedProgram {
  const char* name;
  void (*run)();
};

inline std::vector<NamedProgram>& NamedPrograms() {
  static std::vector<NamedProgram> programs;
  return programs;
}

inline bool AddProgram(const char* name, void (*run)()) {
  NamedPrograms().push_back({name, run});
  return true;
}

// Begins the definition of the program of that name.
#define PROGRAM(name)                                    \
  void name();                                           \
  const bool name##_is_listed = AddProgram(#name, name); \
  void name()
