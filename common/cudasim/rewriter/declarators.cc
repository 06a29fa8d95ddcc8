#include "common/cudasim/rewriter/declarators.h"

#include <algorithm>
#include <array>

namespace cudasim::rewriter {
namespace {

constexpr std::array<std::string_view, 9> kWordsWithArguments = {
    "__attribute__", "__launch_bounds__", "__cluster_dims__", "alignas", "decltype",
    "noexcept",      "requires",          "explicit",         "_Alignas"};

bool TakesArguments(const Token& token) {
  return std::find(kWordsWithArguments.begin(), kWordsWithArguments.end(), token.text) !=
         kWordsWithArguments.end();
}

bool IsQualifier(const Token& token) {
  return token.Is("__device__") || token.Is("__host__") || token.Is("__constant__") ||
         token.Is("__forceinline__");
}

// `[...] __device__ (int i) {}`, `[...] __device__ {}` and `[...](int i) __device__ {}`; but not
// `__attribute__((aligned(16))) __device__ int x;`.
bool BelongsToLambda(const Unit& unit, std::size_t qualifier) {
  std::size_t before = qualifier;
  while (before > 0 && IsQualifier(unit.tokens[before - 1])) --before;
  if (before == 0) return false;
  const bool after_capture = unit.tokens[before - 1].Is("]");
  if (!after_capture && !unit.tokens[before - 1].Is(")")) return false;
  std::size_t next = qualifier + 1;
  while (next < unit.tokens.size() && IsQualifier(unit.tokens[next])) ++next;
  return At(unit, next, "{") || At(unit, next, "->") || At(unit, next, "mutable") ||
         At(unit, next, "noexcept") || At(unit, next, "constexpr") ||
         (after_capture && (At(unit, next, "(") || At(unit, next, "<")));
}

bool IsConstant(const Token& token) { return token.Is("const") || token.Is("constexpr"); }

bool IsConstantBefore(const Unit& unit, std::size_t qualifier) {
  bool constant = false;
  for (std::size_t i = qualifier; i-- > 0;) {
    const Token& token = unit.tokens[i];
    if (IsConstant(token)) constant = true;
    if (token.kind != TokenKind::kIdentifier && !token.Is("*") && !token.Is("::")) break;
  }
  return constant;
}

// `float (*f)(float)` declares a variable, `float (*f(int))(float)` a function.
bool IsPointerDeclarator(const Unit& unit, std::size_t open) {
  if (!At(unit, open + 1, "*")) return false;
  return At(unit, open + 3, ")") || At(unit, open + 3, "[");
}

}  // namespace

std::size_t FindNameOfParameters(const Unit& unit, std::size_t open) {
  if (open == 0) return open;
  std::size_t name = open - 1;
  if (unit.tokens[name].Is(">")) {
    int depth = 0;
    for (;; --name) {
      const Token& token = unit.tokens[name];
      if (token.Is(">")) ++depth;
      if (token.Is("<") && --depth == 0) break;
      if (name == 0 || token.Is(";") || token.Is("{") || token.Is("}")) return open;
    }
    if (name == 0) return open;
    --name;
  }
  const Token& token = unit.tokens[name];
  return token.kind == TokenKind::kIdentifier && !TakesArguments(token) ? name : open;
}

std::size_t FindDeclarationBegin(const Unit& unit, std::size_t index) {
  while (index > 0) {
    const Token& previous = unit.tokens[index - 1];
    if (previous.Is(";") || previous.Is("{") || previous.Is("}")) break;
    // `public:`, but not the inside of `a ? b : c`, which no declaration begins with.
    if (previous.Is(":")) break;
    --index;
  }
  return index;
}

Declares Classify(const Unit& unit, std::size_t qualifier) {
  if (BelongsToLambda(unit, qualifier)) return Declares::kLambda;
  bool constant = IsConstantBefore(unit, qualifier);
  for (std::size_t i = qualifier + 1; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("operator")) return Declares::kFunction;
    if (IsConstant(token)) constant = true;
    // `const T* p` is a variable pointer; only `T* const p` would be constant.
    if (token.Is("*")) constant = false;
    if (token.Is("(")) {
      if (IsPointerDeclarator(unit, i)) return Declares::kVariable;
      if (FindNameOfParameters(unit, i) != i) return Declares::kFunction;
      i = FindClose(unit, i);
    } else if (token.Is(";") || token.Is("=") || token.Is("{") || token.Is("[")) {
      if (token.Is("[") && At(unit, i + 1, "[")) {  // [[attribute]]
        i = FindClose(unit, i);
        continue;
      }
      return constant ? Declares::kConstantVariable : Declares::kVariable;
    }
  }
  return Declares::kFunction;
}

}  // namespace cudasim::rewriter
