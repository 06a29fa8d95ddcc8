#include "grader/sandbox/checker/failure.h"

#include <array>

namespace grader::checker {
namespace {

struct Entry {
  Verdict verdict;
  std::string_view name;
  bool is_evidence;
};

constexpr auto kVerdicts = std::to_array<Entry>({
#define GRADER_VERDICT(verdict, name, is_evidence) {Verdict::verdict, name, is_evidence},
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

std::optional<Verdict> EvidenceNamed(std::string_view name) {
  for (const Entry& entry : kVerdicts) {
    if (entry.is_evidence && entry.name == name) return entry.verdict;
  }
  return std::nullopt;
}

}  // namespace grader::checker
