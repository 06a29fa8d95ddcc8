#include "common/cudasim/rewriter/opencl.h"

#include <algorithm>
#include <array>

#include "common/cudasim/include/cudasim/opencl_programs.h"
#include "common/cudasim/rewriter/lexer.h"
#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

template <std::size_t kCount>
bool IsOneOf(const Token& token, const std::array<std::string_view, kCount>& words) {
  return std::ranges::find(words, token.text) != words.end();
}

bool IsKernelWord(const Token& token) { return token.Is("__kernel") || token.Is("kernel"); }
bool IsLocalSpace(const Token& token) { return token.Is("__local") || token.Is("local"); }
bool IsConstantSpace(const Token& token) { return token.Is("__constant") || token.Is("constant"); }

// Address spaces that need no word, and hints.
bool IsWithoutMeaning(const Token& token) {
  constexpr std::array<std::string_view, 4> kWords = {"__global", "global", "__private", "private"};
  return IsOneOf(token, kWords);
}

bool IsOpenClWord(const Token& token) {
  return IsKernelWord(token) || IsLocalSpace(token) || IsConstantSpace(token) ||
         IsWithoutMeaning(token) || token.Is("__attribute__");
}

// What C++ and CUDA have and OpenCL C does not, and names of the simulator.
bool IsForeign(const Token& token) {
  constexpr std::array<std::string_view, 29> kWords = {
      "asm",        "auto",      "blockDim",     "blockIdx",         "catch",  "class",
      "const_cast", "constexpr", "decltype",     "delete",           "extern", "gridDim",
      "namespace",  "new",       "operator",     "static_cast",      "std",    "template",
      "this",       "threadIdx", "throw",        "thread_local",     "try",    "typename",
      "using",      "virtual",   "dynamic_cast", "reinterpret_cast", "dim3"};
  if (token.Is("::")) return true;
  if (token.kind != TokenKind::kIdentifier || IsOpenClWord(token)) return false;
  for (const std::string_view prefix : {"__", "_Z", "cuda", "CUDA", "opencl_", "simulator"}) {
    if (token.text.starts_with(prefix)) return true;
  }
  return IsOneOf(token, kWords);
}

// Whether this token and the next would be one to the compiler: the begin of a comment or a
// digraph. Comments are gone by now, but values of macros can form one.
bool JoinsNext(const Unit& unit, std::size_t index) {
  constexpr std::array<std::string_view, 7> kPairs = {"//", "/*", "%:", "%>", "<:", "<%", ":>"};
  if (index + 1 >= unit.tokens.size() || unit.tokens[index + 1].follows_gap) return false;
  const std::string_view first = unit.tokens[index].text, next = unit.tokens[index + 1].text;
  return std::ranges::any_of(kPairs, [&](std::string_view pair) {
    return first == pair.substr(0, 1) && next.starts_with(pair[1]);
  });
}

void RefuseForeign(const Unit& unit) {
  constexpr std::array<std::string_view, 4> kDoubles = {"double", "double2", "double3", "double4"};
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    const std::string text(token.text);
    if (IsOneOf(token, kDoubles)) {
      throw RewriteError(token, "the device has no '" + text + "'", "write float");
    }
    if (JoinsNext(unit, i)) {
      throw RewriteError(
          token,
          "'" + text + "' stands directly before '" + std::string(unit.tokens[i + 1].text) + "'",
          "write a space between the two");
    }
    if (!IsForeign(token)) continue;
    throw RewriteError(token, "OpenCL C has no '" + text + "'",
                       "write the kernel in C, with OpenCL's words");
  }
}

void Replace(Token& token, const std::string& text) {
  token.removed = true;
  token.before += text;
}

// Whether a `*` comes before what ends a declarator: the qualifier is that of a pointer's target.
bool IsOfTarget(const Unit& unit, std::size_t index) {
  constexpr std::array<std::string_view, 7> kEnds = {"[", ";", "=", ",", "(", ")", "{"};
  for (; index < unit.tokens.size(); ++index) {
    if (unit.tokens[index].Is("*")) return true;
    if (IsOneOf(unit.tokens[index], kEnds)) return false;
  }
  return false;
}

// A kernel's parameter `__local T* name` becomes `Local<T> name`.
void RewriteLocalParameter(Unit& unit, std::size_t index, std::size_t close) {
  std::size_t star = index;
  while (star < close && !unit.tokens[star].Is("*") && !unit.tokens[star].Is(",")) ++star;
  if (!At(unit, star, "*")) {
    throw RewriteError(unit.tokens[index], "a kernel's parameter in local memory is a pointer",
                       "write __local T* name, and pass the bytes to clSetKernelArg()");
  }
  Replace(unit.tokens[index], "::opencl_c::Local<");
  Replace(unit.tokens[star], "> ");
  for (std::size_t i = star + 1; At(unit, i, "const") || At(unit, i, "restrict"); ++i) {
    Replace(unit.tokens[i], " ");
  }
}

// What goes leaves a space: its neighbours may be one token for the compiler.
void RewriteQualifiers(Unit& unit) {
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    Token& token = unit.tokens[i];
    if (token.removed) continue;
    if (token.Is("__attribute__")) {
      if (!At(unit, i + 1, "(")) {
        throw RewriteError(token, "__attribute__ is not followed by '(('",
                           "write __attribute__((...))");
      }
      Remove(unit, i, FindClose(unit, i + 1) + 1);
      token.before += ' ';
    } else if (IsKernelWord(token) || IsWithoutMeaning(token)) {
      Replace(token, " ");
    } else if (token.Is("restrict")) {
      Replace(token, "__restrict");
    } else if (IsLocalSpace(token)) {
      Replace(token, IsOfTarget(unit, i) ? " " : "__shared__");
    } else if (IsConstantSpace(token)) {
      Replace(token, IsOfTarget(unit, i) ? "const" : "__constant__");
    }
  }
}

// `(float4)(a, b, c, d)` becomes `float4(a, b, c, d)`; in C++ it would be a cast of d.
void RewriteVectorLiterals(Unit& unit) {
  constexpr std::array<std::string_view, 6> kVectors = {"int2",  "int4",   "uint2",
                                                        "uint4", "float2", "float4"};
  for (std::size_t i = 0; i + 3 < unit.tokens.size(); ++i) {
    if (!At(unit, i, "(") || !IsOneOf(unit.tokens[i + 1], kVectors) || !At(unit, i + 2, ")")) {
      continue;
    }
    if (!At(unit, i + 3, "(") && !At(unit, i + 3, "{")) continue;
    Replace(unit.tokens[i], " ");
    Replace(unit.tokens[i + 2], " ");
  }
}

// A declaration or definition outside functions.
struct TopLevel {
  std::size_t parameters = kNowhere;  // the `(` of a function's
  std::size_t body = kNowhere;        // its `{`
  std::size_t end = 0;                // behind it
};

TopLevel ReadTopLevel(const Unit& unit, std::size_t begin) {
  TopLevel found;
  bool has_value = false;
  for (std::size_t i = begin; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    found.end = i + 1;
    if (token.Is(";")) return found;
    if (token.Is("=")) has_value = true;
    if (!IsOpeningBracket(token)) continue;
    const std::size_t close = FindClose(unit, i);
    const bool is_attribute = i > 0 && unit.tokens[i - 1].Is("__attribute__");
    if (token.Is("(") && !is_attribute && !has_value && found.parameters == kNowhere) {
      found.parameters = i;
    }
    found.end = close + 1;
    if (token.Is("{") && found.parameters != kNowhere) {
      found.body = i;
      return found;
    }
    i = close;
  }
  return found;
}

// Marks a function as the device's; adds the name of a kernel that is defined.
void RewriteFunction(Unit& unit, std::size_t begin, const TopLevel& function,
                     std::vector<std::string>& kernels) {
  const std::size_t open = function.parameters, close = FindClose(unit, open);
  const auto first = unit.tokens.begin() + static_cast<std::ptrdiff_t>(begin);
  const bool is_kernel =
      std::any_of(first, unit.tokens.begin() + static_cast<std::ptrdiff_t>(open), IsKernelWord);
  first->before = is_kernel ? "__global__ " : "__device__ ";
  if (!is_kernel) return;
  if (function.body != kNowhere && open > begin) kernels.emplace_back(unit.tokens[open - 1].text);
  for (std::size_t i = open; i < close; ++i) {
    if (IsLocalSpace(unit.tokens[i])) RewriteLocalParameter(unit, i, close);
  }
}

// What stands between the brackets of R"x(...)x"; empty for other tokens.
std::string_view RawText(const Token& token) {
  if (token.kind != TokenKind::kString || !token.text.starts_with("R\"")) return {};
  const std::size_t open = token.text.find('(');
  const std::size_t close = token.text.rfind(')');
  return close == std::string_view::npos || open >= close
             ? std::string_view()
             : token.text.substr(open + 1, close - open - 1);
}

std::string ProgramOf(const Token& literal, int number) {
  const std::string_view text = RawText(literal);
  const std::string marker =
      "# " + std::to_string(literal.line) + " \"" + std::string(literal.file) + "\"\n";
  Unit unit = Lex(marker + PreprocessOpenCl(text, literal.file, literal.line));
  const std::vector<std::string> kernels = RewriteOpenCl(unit);
  if (kernels.empty()) return "";
  opencl_c::TextHash hash;
  hash.Add(text.data(), text.size());
  const std::string id = std::to_string(number);
  const std::string space = "opencl_c::program_" + id;
  std::string entries;
  for (const std::string& kernel : kernels) {
    entries += "::opencl_c::KernelOf(" + Quoted(kernel) + ", &::" + space + "::" + kernel + "), ";
  }
  return "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wsign-compare\"\n" +
         ("namespace " + space) + " {\n" + Print(unit) + "\n}\n#pragma GCC diagnostic pop\n" +
         "static const ::opencl_c::Kernel opencl_kernels_" + id + "[] = {" + entries + "};\n" +
         "static const ::opencl_c::Registration opencl_program_" + id + "(" +
         std::to_string(hash.value()) + "u, opencl_kernels_" + id + ");\n";
}

}  // namespace

std::vector<std::string> RewriteOpenCl(Unit& unit) {
  RefuseForeign(unit);
  std::vector<std::string> kernels;
  for (std::size_t begin = 0; begin < unit.tokens.size();) {
    const TopLevel found = ReadTopLevel(unit, begin);
    if (found.parameters != kNowhere && !At(unit, begin, "typedef")) {
      RewriteFunction(unit, begin, found, kernels);
    }
    begin = found.end;
  }
  RewriteQualifiers(unit);
  RewriteVectorLiterals(unit);
  return kernels;
}

std::string PlaceOpenClKernels(std::string source) {
  if (source.find("cudasim/opencl_c.h\"") == std::string::npos) return source;
  Unit unit = Lex(std::move(source));
  std::string programs;
  int number = 0;
  for (const Token& token : unit.tokens) {
    const std::string_view text = RawText(token);
    if (text.find("kernel") != std::string_view::npos) programs += ProgramOf(token, ++number);
  }
  if (programs.empty()) return Print(unit);
  PrependDeclarations(unit, programs);
  return Print(unit);
}

}  // namespace cudasim::rewriter
