// Hostile: looks for the grader's variables in its own environment and in that of process 1; the
// jail clears it.
// Or: policy
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

void Look(const char* variable) {
  for (const char* known : {"GRADER_", "HOME=/root", "BAZEL", "TEST_", "USER="}) {
    if (strncmp(variable, known, strlen(known)) == 0) Achieved();
  }
}

const int tried = [] {
  for (char** variable = environ; *variable; ++variable) Look(*variable);
  for (const char* path : {"/proc/self/environ", "/proc/1/environ", "/proc/2/environ"}) {
    std::ifstream file(path);
    for (std::string variable; std::getline(file, variable, '\0');) Look(variable.c_str());
  }
  return 0;
}();
