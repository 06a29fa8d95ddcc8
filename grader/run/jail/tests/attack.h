#pragma once

#include <span>
#include <string>
#include <vector>

// Programs that try to leave a jail or to use more than they may. Each prints one line for each
// thing that it ACHIEVED, so a jail that holds leaves its output empty; then it ends with 0 if it
// gets there. All are bounded in number and time, so that they do little harm even unjailed.
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
