#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// What a qualifier stands in front of.
enum class Declares { kFunction, kVariable, kConstantVariable };

bool EndsDeclarator(const Token& token) {
  return token.Is(";") || token.Is("=") || token.Is("{") || token.Is("[") || token.Is("(");
}

Declares Classify(const Unit& unit, std::size_t qualifier) {
  bool constant = false;
  for (std::size_t i = qualifier; i-- > 0;) {
    const Token& token = unit.tokens[i];
    if (token.Is("const") || token.Is("constexpr")) constant = true;
    if (token.kind != TokenKind::kIdentifier && !token.Is("*") && !token.Is("::")) break;
  }
  for (std::size_t i = qualifier + 1; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("operator")) return Declares::kFunction;
    if (token.Is("const") || token.Is("constexpr")) constant = true;
    // `const T* p` is a variable pointer; only `T* const p` would be constant.
    if (token.Is("*")) constant = false;
    if (!EndsDeclarator(token)) continue;
    const bool attribute =
        token.Is("(") && (unit.tokens[i - 1].Is("__attribute__") ||
                          unit.tokens[i - 1].Is("alignas") || unit.tokens[i - 1].Is("decltype"));
    if (attribute) {
      i = FindClose(unit, i);
      continue;
    }
    if (token.Is("(")) return Declares::kFunction;
    return constant ? Declares::kConstantVariable : Declares::kVariable;
  }
  return Declares::kFunction;
}

// `[...] __device__ (int i) {}` and `[...](int i) __device__ {}`.
bool BelongsToLambda(const Unit& unit, std::size_t qualifier) {
  return qualifier > 0 &&
         (unit.tokens[qualifier - 1].Is("]") || unit.tokens[qualifier - 1].Is(")"));
}

// A constant with its value in the source needs no section: kernels may read constant data anyway.
void RewriteQualifier(Unit& unit, std::size_t index, const std::string& section) {
  Token& token = unit.tokens[index];
  token.removed = true;
  if (BelongsToLambda(unit, index) || Classify(unit, index) != Declares::kVariable) return;
  token.before += "__attribute__((section(\"" + section + "\")))";
}

}  // namespace

void RewriteDeviceVariables(Unit& unit) {
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.removed) continue;
    if (token.Is("__device__")) {
      // `__device__ __constant__ float table[4];` is constant memory.
      const bool also_constant =
          At(unit, i + 1, "__constant__") || (i > 0 && At(unit, i - 1, "__constant__"));
      if (also_constant) {
        unit.tokens[i].removed = true;
      } else {
        RewriteQualifier(unit, i, "cudasim_device");
      }
    } else if (token.Is("__constant__")) {
      RewriteQualifier(unit, i, "cudasim_constant");
    } else if (token.Is("__managed__")) {
      throw RewriteError(token, "__managed__ variables are not simulated",
                         "use cudaMallocManaged, or a __device__ variable");
    }
  }
}

}  // namespace cudasim::rewriter
