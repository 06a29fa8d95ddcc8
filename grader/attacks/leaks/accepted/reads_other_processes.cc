// Hostile: reads the command lines of all processes for the seed; the jail has its own process
// namespace.
// Or: policy
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  for (int pid = 1; pid < 40'000; ++pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
    std::ostringstream text;
    text << file.rdbuf();
    if (text.str().find("--seed") != std::string::npos) Achieved();
  }
  return 0;
}();
