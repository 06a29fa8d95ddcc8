#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

bool IsAssembly(const Token& token) {
  return token.Is("asm") || token.Is("__asm__") || token.Is("__asm");
}

// The statement's text; empty for `asm volatile("" ::: "memory")`, which any compiler takes.
std::string AssemblyText(const Unit& unit, std::size_t index) {
  std::size_t open = index + 1;
  while (At(unit, open, "volatile") || At(unit, open, "__volatile__") ||
         At(unit, open, "__volatile")) {
    ++open;
  }
  if (!At(unit, open, "(") || open + 1 >= unit.tokens.size()) return "";
  const Token& text = unit.tokens[open + 1];
  if (text.kind != TokenKind::kString || text.text.size() <= 2) return "";
  return std::string(text.text);
}

std::string NextStepFor(const std::string& assembly) {
  if (assembly.find("laneid") != std::string::npos) return "write threadIdx.x % warpSize";
  if (assembly.find("clock") != std::string::npos) return "call clock64()";
  return "use a function of CUDA C++ in its place";
}

void RefuseLaunch(const Token& launch) {
  throw RewriteError(launch,
                     "a kernel launch inside a kernel (dynamic parallelism) is not simulated",
                     "launch from host code");
}

}  // namespace

void RefuseDeviceOnly(const Unit& unit, const std::vector<Scope>& scopes) {
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("__cluster_dims__")) {
      throw RewriteError(token, "thread block clusters are not simulated",
                         "use one block, or the grid's barrier");
    }
    if (!IsDevice(scopes[i])) continue;
    const bool is_operator = i > 0 && unit.tokens[i - 1].Is("operator");
    if (scopes[i] == Scope::kDeviceFunction && IsTriple(unit, i, "<") && !is_operator) {
      RefuseLaunch(token);
    }
    if (!IsAssembly(token)) continue;
    const std::string assembly = AssemblyText(unit, i);
    if (assembly.empty()) continue;
    throw RewriteError(token, "inline PTX is not simulated: " + assembly, NextStepFor(assembly));
  }
}

}  // namespace cudasim::rewriter
