#include <set>
#include <string>
#include <string_view>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// True if `__global__` stands among the specifiers in front of the token at `index`.
bool HasGlobal(const Unit& unit, std::size_t index) {
  while (index-- > 0) {
    const Token& token = unit.tokens[index];
    if (token.Is("__global__")) return true;
    if (token.Is(";") || token.Is("{") || token.Is("}")) return false;
    if (token.Is(")") || token.Is("]")) index = FindOpen(unit, index);
  }
  return false;
}

// Functions by their names: `void Name(...)` with `__global__`, and those defined without.
struct Functions {
  std::set<std::string_view> kernels;
  std::set<std::string_view> others;
};

Functions FindFunctions(const Unit& unit, const std::vector<Scope>& scopes) {
  Functions found;
  for (std::size_t i = 1; i + 1 < unit.tokens.size(); ++i) {
    const Token& name = unit.tokens[i];
    if (name.kind != TokenKind::kIdentifier || !At(unit, i + 1, "(")) continue;
    if (scopes[i] != Scope::kNamespace) continue;
    if (HasGlobal(unit, i)) {
      found.kernels.insert(name.text);
    } else if (unit.tokens[i - 1].Is("void") && At(unit, FindClose(unit, i + 1) + 1, "{")) {
      found.others.insert(name.text);
    }
  }
  return found;
}

bool IsQualified(const Unit& unit, std::size_t index) {
  if (index == 0) return false;
  const Token& previous = unit.tokens[index - 1];
  return previous.Is("::") || previous.Is(".") || previous.Is("->");
}

}  // namespace

void RefuseHostLaunches(const Unit& unit, const std::vector<Scope>& scopes) {
  const Functions functions = FindFunctions(unit, scopes);
  for (std::size_t i = 1; i < unit.tokens.size(); ++i) {
    if (!IsLaunch(unit, i) || IsQualified(unit, i - 1)) continue;
    const Token& name = unit.tokens[i - 1];
    if (functions.others.count(name.text) == 0 || functions.kernels.count(name.text) > 0) continue;
    throw RewriteError(name, "'" + std::string(name.text) + "' is launched, but is no kernel",
                       "write __global__ in front of its definition");
  }
}

}  // namespace cudasim::rewriter
