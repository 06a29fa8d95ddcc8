#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "common/cudasim/rewriter/declarators.h"
#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// Words of a declaration by which nvcc lets device code call the function.
bool MakesCallable(const Token& token) {
  return token.Is("__device__") || token.Is("__global__") || token.Is("constexpr") ||
         token.Is("consteval") || token.Is("friend") || token.Is("using") || token.Is("typedef") ||
         token.Is("operator");
}

// Words in front of a name that begin no declaration of it.
bool BeginsExpression(const Token& token) {
  constexpr std::array<std::string_view, 8> kWords = {"return", "else",      "do",  "case",
                                                      "throw",  "co_return", "and", "or"};
  return std::find(kWords.begin(), kWords.end(), token.text) != kWords.end();
}

// True if the tokens around the name may declare a variable, a type or a parameter.
bool MayDeclareOther(const Unit& unit, std::size_t index) {
  if (index == 0) return false;
  const Token& previous = unit.tokens[index - 1];
  const bool after_type =
      (previous.kind == TokenKind::kIdentifier && !BeginsExpression(previous)) ||
      previous.Is(">") || previous.Is("*") || previous.Is("&");
  return after_type || At(unit, index + 1, "=") || At(unit, index + 1, "{");
}

// True if a body follows the parameters that begin at `open`, at once or behind specifiers.
bool HasBody(const Unit& unit, std::size_t open) {
  std::size_t i = FindClose(unit, open) + 1;
  while (At(unit, i, "const") || At(unit, i, "noexcept") || At(unit, i, "override") ||
         At(unit, i, "final") || At(unit, i, "&")) {
    ++i;
  }
  return At(unit, i, "{") ||
         (At(unit, i, "->") && unit.tokens[i + 1].kind == TokenKind::kIdentifier);
}

// Functions of the source that only the host can call: every declaration of the name is one.
class HostFunctions {
 public:
  HostFunctions(const Unit& unit, const std::vector<Scope>& scopes) {
    for (std::size_t i = 1; i + 1 < unit.tokens.size(); ++i) {
      if (unit.tokens[i].kind == TokenKind::kIdentifier) Note(unit, scopes, i);
    }
  }

  bool Has(std::string_view name) const {
    return host_.count(name) > 0 && others_.count(name) == 0;
  }

 private:
  void Note(const Unit& unit, const std::vector<Scope>& scopes, std::size_t index) {
    const std::string_view name = unit.tokens[index].text;
    const bool outside = scopes[index] == Scope::kNamespace || scopes[index] == Scope::kClass;
    if (!At(unit, index + 1, "(")) {
      if (MayDeclareOther(unit, index)) others_.insert(name);
    } else if (!outside) {
      const bool after_word = unit.tokens[index - 1].kind == TokenKind::kIdentifier;
      // A variable of a kernel with constructor arguments.
      if (IsDevice(scopes[index]) && after_word && MayDeclareOther(unit, index)) {
        others_.insert(name);
      }
    } else if (FindNameOfParameters(unit, index + 1) == index) {
      const std::size_t begin = FindDeclarationBegin(unit, index);
      const auto first = unit.tokens.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = unit.tokens.begin() + static_cast<std::ptrdiff_t>(index);
      const bool callable = std::any_of(first, last, MakesCallable);
      if (callable) others_.insert(name);
      if (!callable && index > begin && HasBody(unit, index + 1)) host_.insert(name);
    }
  }

  std::set<std::string_view> host_;
  std::set<std::string_view> others_;
};

// The first token of the function that the token lies in.
std::size_t FindFunctionBegin(const std::vector<Scope>& scopes, std::size_t index) {
  while (index > 0 && IsFunction(scopes[index - 1])) --index;
  return index;
}

// True if the operand is not evaluated, as in `sizeof(F(x))`, or may be discarded.
bool MayBeUnevaluated(const Unit& unit, const std::vector<Scope>& scopes, std::size_t index) {
  const std::size_t begin = FindFunctionBegin(scopes, index);
  for (std::size_t i = begin; i < index; ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("constexpr") && i > 0 && At(unit, i - 1, "if")) return true;
    const bool takes_operand = token.Is("sizeof") || token.Is("decltype") || token.Is("noexcept") ||
                               token.Is("alignof") || token.Is("typeid") || token.Is("requires");
    if (takes_operand && At(unit, i + 1, "(") && FindClose(unit, i + 1) > index) return true;
  }
  return false;
}

bool IsCall(const Unit& unit, std::size_t index) {
  const Token& previous = unit.tokens[index - 1];
  if (previous.kind == TokenKind::kIdentifier) return BeginsExpression(previous);
  return !previous.Is("~") && !previous.Is(">");
}

}  // namespace

void RefuseHostCalls(const Unit& unit, const std::vector<Scope>& scopes) {
  const HostFunctions functions(unit, scopes);
  for (std::size_t i = 1; i + 1 < unit.tokens.size(); ++i) {
    const Token& name = unit.tokens[i];
    if (scopes[i] != Scope::kDeviceFunction || !At(unit, i + 1, "(")) continue;
    if (name.kind != TokenKind::kIdentifier || !functions.Has(name.text) || !IsCall(unit, i))
      continue;
    if (MayBeUnevaluated(unit, scopes, i) || HeadersDeclare(unit, name.text)) continue;
    throw RewriteError(name,
                       "calling the __host__ function '" + std::string(name.text) +
                           "' from a __global__ or __device__ function is not allowed",
                       "write __device__ in front of its definition");
  }
}

}  // namespace cudasim::rewriter
