#include "common/cudasim/rewriter/declarators.h"
#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// A constant with its value in the source needs no section: kernels may read constant data anyway.
void RewriteQualifier(Unit& unit, std::size_t index, const std::string& section) {
  Token& token = unit.tokens[index];
  token.removed = true;
  if (Classify(unit, index) != Declares::kVariable) return;
  // The compiler would drop stores to a variable that no code reads; copies by name may read it.
  token.before += "__attribute__((used, section(\"" + section + "\")))";
}

bool HasNeighbour(const Unit& unit, std::size_t index, std::string_view word) {
  return At(unit, index + 1, word) || (index > 0 && At(unit, index - 1, word));
}

// Specifiers of declarations that keep their linkage.
bool IsSpecial(const Token& token) {
  return token.Is("static") || token.Is("inline") || token.Is("extern") || token.Is("constexpr") ||
         token.Is("template") || token.Is("typedef") || token.Is("friend") ||
         token.Is("__host__") || token.Is("__global__") || token.Is("__inline__") ||
         token.Is("__inline") || token.Is("using");
}

// True if the declaration defines a member outside its class.
bool IsQualifiedName(const Unit& unit, std::size_t begin) {
  for (std::size_t i = begin; i + 1 < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is(";") || token.Is("=") || token.Is("{")) return false;
    const bool ends_name = token.Is("(") || token.Is("[");
    if (ends_name && i >= begin + 2 && unit.tokens[i - 2].Is("::")) return true;
    if (token.Is("::") && At(unit, i + 1, "operator")) return true;
    if (ends_name && FindNameOfParameters(unit, i) != i) return false;
  }
  return false;
}

bool BelongsToThisFile(const Unit& unit, std::size_t qualifier) {
  const std::size_t begin = FindDeclarationBegin(unit, qualifier);
  for (std::size_t i = begin; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (IsSpecial(token)) return false;
    if (token.Is("(") && FindNameOfParameters(unit, i) == i) {
      i = FindClose(unit, i);
    } else if (token.Is("(") || token.Is(";") || token.Is("=") || token.Is("{")) {
      break;
    }
  }
  return !IsQualifiedName(unit, begin);
}

}  // namespace

void RewriteLinkage(Unit& unit, const std::vector<Scope>& scopes) {
  std::size_t done = 0;  // behind the last qualifier that was handled
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (!token.Is("__device__") && !token.Is("__constant__") && !token.Is("__managed__")) continue;
    const std::size_t begin = FindDeclarationBegin(unit, i);
    const bool seen = begin < done;
    done = i + 1;
    if (seen || scopes[i] != Scope::kNamespace || !BelongsToThisFile(unit, i)) continue;
    const Declares what = Classify(unit, i);
    if (what == Declares::kLambda || what == Declares::kConstantVariable) continue;
    unit.tokens[begin].before += "static __attribute__((unused)) ";
  }
}

void RewriteDeviceVariables(Unit& unit) {
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.removed) continue;
    if (token.Is("__host__")) {
      unit.tokens[i].removed = true;
    } else if (token.Is("__device__")) {
      // `__device__ __constant__ float table[4];` is constant memory.
      if (HasNeighbour(unit, i, "__constant__") || HasNeighbour(unit, i, "__managed__")) {
        unit.tokens[i].removed = true;
      } else {
        RewriteQualifier(unit, i, "cudasim_device");
      }
    } else if (token.Is("__constant__")) {
      RewriteQualifier(unit, i, "cudasim_constant");
    } else if (token.Is("__managed__")) {
      RewriteQualifier(unit, i, "cudasim_managed");
    }
  }
}

}  // namespace cudasim::rewriter
