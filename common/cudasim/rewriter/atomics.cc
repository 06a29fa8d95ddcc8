#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

bool IsAddOrExchange(const Token& token) {
  return token.Is("atomicAdd") || token.Is("atomicAdd_block") || token.Is("atomicAdd_system") ||
         token.Is("atomicExch") || token.Is("atomicExch_block") || token.Is("atomicExch_system");
}

}  // namespace

bool BeginsStatement(const Unit& unit, std::size_t index) {
  if (index == 0) return false;
  const Token& previous = unit.tokens[index - 1];
  if (previous.Is(";") || previous.Is("{") || previous.Is("}") || previous.Is("else") ||
      previous.Is("do")) {
    return true;
  }
  if (!previous.Is(")")) return false;
  const std::size_t open = FindOpen(unit, index - 1);
  return open > 0 && (unit.tokens[open - 1].Is("if") || unit.tokens[open - 1].Is("for") ||
                      unit.tokens[open - 1].Is("while"));
}

void RewriteUnusedAtomics(Unit& unit) {
  for (std::size_t i = 0; i + 1 < unit.tokens.size(); ++i) {
    if (!IsAddOrExchange(unit.tokens[i]) || !At(unit, i + 1, "(")) continue;
    const std::size_t close = FindClose(unit, i + 1);
    const std::size_t begin = i > 0 && At(unit, i - 1, "::") ? i - 1 : i;
    if (At(unit, close + 1, ";") && BeginsStatement(unit, begin)) {
      unit.tokens[close].after += ", ::cudasim::ResultUnused()";
    }
  }
}

}  // namespace cudasim::rewriter
