#include "common/cudasim/rewriter/assembly.h"

#include <algorithm>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

bool IsVolatile(const Token& token) {
  return token.Is("volatile") || token.Is("__volatile__") || token.Is("__volatile");
}

// Appends what the literal stands for.
void AppendLiteral(std::string_view literal, std::string& text) {
  if (literal.front() == 'R') {
    const std::size_t begin = literal.find('(') + 1;
    text += literal.substr(begin, std::max(begin, literal.rfind(')')) - begin);
    return;
  }
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 2 >= literal.size()) {
      text += literal[i];
      continue;
    }
    const char escaped = literal[++i];
    const bool is_blank = escaped == 't' || escaped == 'r';
    text += is_blank ? ' ' : escaped == 'n' ? '\n' : escaped;
  }
}

// Reads `"=r"(x), "=r"(y)` from index on; returns the index behind it.
std::size_t ParseOperands(const Unit& unit, std::size_t index, Assembly& assembly) {
  while (index < assembly.close && unit.tokens[index].kind == TokenKind::kString) {
    if (!At(unit, index + 1, "(")) break;
    const std::size_t close = FindClose(unit, index + 1);
    assembly.operands.push_back(Join(unit, index + 2, close));
    index = close + 1;
    if (At(unit, index, ",")) ++index;
  }
  return index;
}

std::string Declarations(const Assembly& assembly) {
  std::string text;
  for (std::size_t i = 0; i < assembly.operands.size(); ++i) {
    text += i < assembly.outputs ? "auto& cudasim_" : "[[maybe_unused]] const auto cudasim_";
    text += std::to_string(i) + " = (" + assembly.operands[i] + "); ";
  }
  return text;
}

std::size_t LineBreaks(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Of raw strings among the tokens [begin, end).
std::size_t LineBreaks(const Unit& unit, std::size_t begin, std::size_t end) {
  std::size_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += LineBreaks(unit.tokens[i].text);
  return sum;
}

}  // namespace

bool IsAssembly(const Token& token) {
  return token.Is("asm") || token.Is("__asm__") || token.Is("__asm");
}

Assembly ParseAssembly(const Unit& unit, std::size_t index) {
  Assembly assembly;
  std::size_t open = index + 1;
  while (open < unit.tokens.size() && IsVolatile(unit.tokens[open])) ++open;
  if (!At(unit, open, "(")) return assembly;
  assembly.close = FindClose(unit, open);
  std::size_t i = open + 1;
  while (i < assembly.close && unit.tokens[i].kind == TokenKind::kString) {
    AppendLiteral(unit.tokens[i++].text, assembly.text);
  }
  // `::` stands for two colons.
  int colons = 0;
  while (i < assembly.close && colons < 2 && (At(unit, i, ":") || At(unit, i, "::"))) {
    colons += At(unit, i, "::") ? 2 : 1;
    i = ParseOperands(unit, i + 1, assembly);
    if (colons == 1) assembly.outputs = assembly.operands.size();
  }
  return assembly;
}

void RewriteAssembly(Unit& unit, const std::vector<Scope>& scopes) {
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    if (!IsDevice(scopes[i]) || !IsAssembly(unit.tokens[i])) continue;
    const Assembly assembly = ParseAssembly(unit, i);
    const bool is_empty = std::all_of(assembly.text.begin(), assembly.text.end(), IsBlank);
    if (assembly.close == 0 || is_empty) continue;
    const std::string statements = TranslatePtx(assembly.text, unit.tokens[i]);
    Remove(unit, i, assembly.close + 1);
    std::string inserted = "do { " + Declarations(assembly) + statements + "} while (false)";
    inserted.append(LineBreaks(unit, i, assembly.close) - LineBreaks(inserted), '\n');
    unit.tokens[i].before += inserted;
    i = assembly.close;
  }
}

}  // namespace cudasim::rewriter
