#include "grader/sandbox/jail/unjailed.h"

#include <string_view>

namespace grader {
namespace {

bool PathMayBeginAt(std::string_view word, std::size_t position) {
  if (position == 0) return true;
  const std::string_view before = word.substr(0, position);
  if (std::string_view("=,:@").find(before.back()) != std::string_view::npos) return true;
  return before.front() == '-' && before.find('/') == std::string_view::npos;
}

bool PathEndsAt(std::string_view word, std::size_t position) {
  return position == word.size() ||
         std::string_view("/,:").find(word[position]) != std::string::npos;
}

// The bind with the longest target that the path at this position lies below, or nullptr.
const Bind* BindAt(std::string_view word, std::size_t position, const std::vector<Bind>& binds) {
  const Bind* best = nullptr;
  for (const Bind& bind : binds) {
    if (!word.substr(position).starts_with(bind.target)) continue;
    if (!PathEndsAt(word, position + bind.target.size())) continue;
    if (best == nullptr || bind.target.size() > best->target.size()) best = &bind;
  }
  return best;
}

}  // namespace

std::string PathsOutside(const std::string& word, const std::vector<Bind>& binds) {
  std::string result;
  for (std::size_t position = 0; position < word.size();) {
    const Bind* bind = PathMayBeginAt(word, position) ? BindAt(word, position, binds) : nullptr;
    if (bind == nullptr) {
      result += word[position++];
      continue;
    }
    result += bind->source;
    position += bind->target.size();
  }
  return result;
}

JailSpec SpecOutside(JailSpec spec) {
  for (std::string& word : spec.argv) word = PathsOutside(word, spec.binds);
  for (auto& [name, value] : spec.env) value = PathsOutside(value, spec.binds);
  return spec;
}

}  // namespace grader
