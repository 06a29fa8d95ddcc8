#include "common/lab/test_program/requirement.h"

#include <vector>

namespace lab {
namespace {

// Made on first use: global objects of other files register themselves.
std::vector<Requirement::Check>& Checks() {
  static std::vector<Requirement::Check> checks;
  return checks;
}

}  // namespace

Requirement::Requirement(Check check) { Checks().push_back(check); }

std::optional<Requirement::Missing> Requirement::FirstMissing() {
  for (const Check check : Checks()) {
    if (std::optional<Missing> missing = check()) return missing;
  }
  return std::nullopt;
}

}  // namespace lab
