#include <cctype>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

bool IsApiCall(const Unit& unit, std::size_t index) {
  const std::string_view name = unit.tokens[index].text;
  return name.size() > 4 && name.substr(0, 4) == "cuda" &&
         std::isupper(static_cast<unsigned char>(name[4])) != 0 && At(unit, index + 1, "(");
}

// True if an API call is among the arguments: the outer call receives its result.
bool HasApiCall(const Unit& unit, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (IsApiCall(unit, i)) return true;
  }
  return false;
}

}  // namespace

void RewriteDiscardedCalls(Unit& unit) {
  for (std::size_t i = 1; i + 1 < unit.tokens.size(); ++i) {
    if (!IsApiCall(unit, i)) continue;
    const std::size_t close = FindClose(unit, i + 1);
    const std::size_t begin = At(unit, i - 1, "::") ? i - 1 : i;
    if (!At(unit, close + 1, ";") || !BeginsStatement(unit, begin)) continue;
    if (HasApiCall(unit, i + 2, close)) continue;
    const Token& call = unit.tokens[i];
    unit.tokens[begin].before += "(::cudasim::BeginDiscard(\"" + std::string(call.text) + "\", \"" +
                                 std::string(call.file) + "\", " + std::to_string(call.line) +
                                 "), ";
    unit.tokens[close].after += ", ::cudasim::EndDiscard())";
  }
}

}  // namespace cudasim::rewriter
