// The kinds of findings, as findings.bzl lists them.
#pragma once

#include <string_view>

namespace cudasim {

struct ListedKind {
  const char* name;
  const char* verdict;  // the grader's; "" of a warning
};

inline constexpr ListedKind kListedKinds[] = {
#include "common/cudasim/findings/kinds.inc"
};

// Null if no kind has the name.
constexpr const ListedKind* FindKind(std::string_view name) {
  for (const ListedKind& kind : kListedKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

// A kind of finding; a literal that is no listed kind does not compile.
class Kind {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a finding names its kind by a literal.
  consteval Kind(const char* name) : kind_(FindKind(name)) { (void)kind_->name; }
  explicit constexpr Kind(const ListedKind& kind) : kind_(&kind) {}
  constexpr const char* name() const { return kind_->name; }

 private:
  const ListedKind* kind_;
};

}  // namespace cudasim
