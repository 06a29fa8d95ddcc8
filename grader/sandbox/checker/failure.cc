#include "grader/sandbox/checker/failure.h"

#include <array>

namespace grader::checker {
namespace {

struct Entry {
  Verdict verdict;
  std::string_view name;
};

constexpr auto kVerdicts = std::to_array<Entry>({
#define GRADER_VERDICT(verdict, name) {Verdict::verdict, name},
#include "grader/sandbox/checker/verdicts.inc"
#undef GRADER_VERDICT
});

}  // namespace

std::string_view Name(Verdict verdict) {
  for (const Entry& entry : kVerdicts) {
    if (entry.verdict == verdict) return entry.name;
  }
  return Name(Verdict::kJudgeError);
}

}  // namespace grader::checker
