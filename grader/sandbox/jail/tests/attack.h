#pragma once

#include <span>
#include <string>
#include <vector>

// Programs that try to escape from a jail or to exceed its limits. Each prints one line for each
// success, so its output is empty in a jail that holds, and exits with 0 if it runs to its end. All
// are bounded in number and time, so that they do little harm even unjailed.
namespace grader::attack {

struct Attack {
  const char* name;
  void (*run)(std::span<const std::string> arguments);
};

std::vector<Attack> EscapeAttacks();
std::vector<Attack> ResourceAttacks();

// Prints "achieved: WHAT".
void Achieved(const std::string& what);

}  // namespace grader::attack
