// Helpers of the rewriter's tests.
#pragma once

#include <algorithm>
#include <string>

#include "common/cudasim/rewriter/rewrite.h"

namespace cudasim::rewriter {

inline std::string InFile(const std::string& text) { return "# 1 \"lab.cu\"\n" + text; }

inline std::string RewriteText(const std::string& text) { return Rewrite(InFile(text)); }

// The error as the compiler would print it.
inline std::string ErrorOf(const std::string& text) {
  try {
    RewriteText(text);
  } catch (const RewriteError& e) {
    return e.file() + ":" + std::to_string(e.line()) + ": " + e.what();
  }
  return "no error";
}

// The gaps between removed tokens stay, so spaces do not count.
inline std::string WithoutSpaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

inline bool Has(const std::string& text, const std::string& part) {
  return WithoutSpaces(text).find(WithoutSpaces(part)) != std::string::npos;
}

}  // namespace cudasim::rewriter
