// The kinds of findings, as findings.bzl lists them.
#pragma once

#include <string_view>

namespace cudasim {

// A kind of finding; a literal that is no listed kind does not compile.
class Kind {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a finding names its kind by a literal.
  consteval Kind(const char* name) : name_(Listed(name)) {
    if (name_ == nullptr) throw name;  // which does not compile
  }

  // The kind of that name, or one without a name if none is listed.
  static constexpr Kind Find(std::string_view name) { return Kind(Listed(name), 0); }

  // Null if it is none.
  constexpr const char* name() const { return name_; }

 private:
  constexpr Kind(const char* listed, int) : name_(listed) {}

  static constexpr const char* Listed(std::string_view name) {
    constexpr const char* kNames[] = {
#include "common/cudasim/findings/kinds.inc"
    };
    for (const char* const listed : kNames) {
      if (listed == name) return listed;
    }
    return nullptr;
  }

  const char* name_;
};

}  // namespace cudasim
