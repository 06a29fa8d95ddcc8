#include <map>
#include <string>

#include "common/cudasim/rewriter/declarators.h"
#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

struct Kernel {
  std::size_t name;
  std::size_t parameters;  // the `(`
};

// Finds the declarator of the `__global__` function: the first `name (` that is no attribute.
Kernel FindDeclarator(const Unit& unit, std::size_t global) {
  for (std::size_t i = global + 1; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is(";") || token.Is("{") || token.Is("}")) break;
    if (!token.Is("(")) continue;
    const std::size_t name = FindNameOfParameters(unit, i);
    if (name != i && name > global) return {name, i};
    i = FindClose(unit, i);
  }
  throw RewriteError(unit.tokens[global], "__global__ is not followed by a function",
                     "write __global__ void Name(parameters) { ... }");
}

// True if `void` stands among the declaration's specifiers, on either side of `__global__`.
bool ReturnsVoid(const Unit& unit, std::size_t global, std::size_t name) {
  for (std::size_t i = name; i-- > 0;) {
    const Token& token = unit.tokens[i];
    if (token.Is("void")) return true;
    const bool boundary = token.Is(";") || token.Is("}") || token.Is("{");
    if (i < global && boundary) return false;
  }
  return false;
}

// Replaces `__func__` by the kernel's name, as inside the lambda it would be `operator()`.
void NameFunction(Unit& unit, std::size_t begin, std::size_t end, std::string_view kernel) {
  for (std::size_t i = begin; i < end; ++i) {
    Token& token = unit.tokens[i];
    if (!token.Is("__func__") && !token.Is("__FUNCTION__") && !token.Is("__PRETTY_FUNCTION__")) {
      continue;
    }
    // That of assert(), which the report of a failing assertion turns into the kernel's signature.
    if (unit.tokens[i - 1].Is("__extension__")) continue;
    token.removed = true;
    token.before += Quoted(kernel);
  }
}

// The parameters in (begin, end) without default arguments; empty if they cannot be named in a
// type.
std::string JoinParameters(const Unit& unit, std::size_t begin, std::size_t end) {
  std::string text;
  bool in_default = false;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("auto")) return "";
    if (token.Is("=")) in_default = true;
    if (token.Is(",")) in_default = false;
    const std::size_t last = IsOpeningBracket(token) ? FindClose(unit, i) : i;
    for (; i <= last; ++i) {
      const Token& part = unit.tokens[i];
      if (in_default || part.removed) continue;
      if (part.text.find('\n') != std::string_view::npos) return "";  // would add a line
      text += (part.follows_gap ? " " : "") + std::string(part.text);
    }
    i = last;
  }
  return text.empty() ? "void" : text;
}

// The arguments of `__cluster_dims__(2, 1, 1)` among the specifiers of the kernel, which it
// removes; empty if there is none.
std::string TakeClusterDims(Unit& unit, std::size_t global, std::size_t name) {
  std::string arguments;
  for (std::size_t i = FindDeclarationBegin(unit, global); i < name; ++i) {
    if (!unit.tokens[i].Is("__cluster_dims__") || !At(unit, i + 1, "(")) continue;
    const std::size_t close = FindClose(unit, i + 1);
    arguments = Join(unit, i + 2, close);
    if (arguments.empty() || arguments.find('\n') != std::string::npos) {  // which would add a line
      throw RewriteError(unit.tokens[i], "__cluster_dims__ needs the cluster's extent in blocks",
                         "write __cluster_dims__(2, 1, 1)");
    }
    Remove(unit, i, close + 1);
  }
  return arguments;
}

// By kernels' names: an attribute may stand at a declaration in front of the definition.
using ClusterDims = std::map<std::string, std::string, std::less<>>;

void RewriteKernel(Unit& unit, std::size_t global, ClusterDims& cluster_dims) {
  unit.tokens[global].removed = true;
  const Kernel kernel = FindDeclarator(unit, global);
  const Token& name = unit.tokens[kernel.name];
  if (!ReturnsVoid(unit, global, kernel.name)) {
    throw RewriteError(name, "kernel '" + std::string(name.text) + "' must return void",
                       "write results through a pointer");
  }
  std::string& cluster = cluster_dims[std::string(name.text)];
  if (const std::string own = TakeClusterDims(unit, global, kernel.name); !own.empty()) {
    cluster = own;
  }
  std::size_t open = FindClose(unit, kernel.parameters) + 1;
  while (open < unit.tokens.size() && !At(unit, open, "{") && !At(unit, open, ";")) {
    open = At(unit, open, "(") ? FindClose(unit, open) + 1 : open + 1;
  }
  if (!At(unit, open, "{")) return;  // a declaration
  const std::size_t close = FindClose(unit, open);
  NameFunction(unit, open, close, name.text);
  const std::string parameters =
      JoinParameters(unit, kernel.parameters + 1, FindClose(unit, kernel.parameters));
  std::string entry = " static constexpr ::cudasim::KernelSource cudasim_kernel{" +
                      Quoted(name.text) + ", " + Quoted(name.file) + ", " +
                      std::to_string(name.line) + ", " + std::to_string(unit.tokens[close].line) +
                      (cluster.empty() ? "" : ", {" + cluster + "}") + "};";
  if (!parameters.empty()) {
    entry +=
        " if (__builtin_expect(::cudasim::called_by_address, 0)) return "
        "::cudasim::AnswerCallByAddress(cudasim_kernel, static_cast<void (*)(" +
        parameters + ")>(nullptr));";
  }
  const Captures captures = CaptureArguments(unit, kernel.parameters, open);
  unit.tokens[open].after += entry + NameArguments(unit, kernel.parameters) +
                             " ::cudasim::Enter(cudasim_kernel, [=" + captures.list +
                             "]() mutable __attribute__((always_inline)) {" + captures.declarations;
  unit.tokens[close].before = "});" + unit.tokens[close].before;
}

}  // namespace

void RewriteKernels(Unit& unit) {
  ClusterDims cluster_dims;
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    if (unit.tokens[i].Is("__global__")) RewriteKernel(unit, i, cluster_dims);
  }
}

void RewriteNoinline(Unit& unit) {
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    Token& token = unit.tokens[i];
    const bool in_attribute = i > 0 && (At(unit, i - 1, "(") || At(unit, i - 1, ","));
    if (!token.Is("__noinline__") || in_attribute) continue;
    token.removed = true;
    token.before += "__attribute__((noinline))";
  }
}

}  // namespace cudasim::rewriter
