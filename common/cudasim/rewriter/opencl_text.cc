#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "common/cudasim/rewriter/lexer.h"
#include "common/cudasim/rewriter/opencl.h"

namespace cudasim::rewriter {
namespace {

using Macros = std::map<std::string, std::string, std::less<>>;

// The end of the comment that begins at `at`; `at` if none does.
std::size_t SkipComment(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2);
  if (two == "//") return std::min(text.find('\n', at), text.size());
  if (two == "/*") {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  return at;
}

std::string BlankComments(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = SkipComment(text, at);
    if (end == at) result += text[at++];
    for (; at < end; ++at) result += text[at] == '\n' ? '\n' : ' ';
  }
  return result;
}

std::string Marker(std::string_view file, int line) {
  return "# " + std::to_string(line) + " \"" + std::string(file) + "\"\n";
}

// The line, in which names of macros stand for their values.
std::string Expand(std::string_view text, const Macros& macros, std::string_view file, int line) {
  const std::string marker = Marker(file, line);
  Unit unit = Lex(marker + std::string(text));
  for (Token& token : unit.tokens) {
    const auto macro = macros.find(token.text);
    if (token.kind != TokenKind::kIdentifier || macro == macros.end()) continue;
    token.removed = true;
    token.before = macro->second;
  }
  return Print(unit).substr(marker.size());
}

std::string_view Stripped(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  return text;
}

std::string_view TakeWord(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
    ++end;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

Token Hash(std::string_view file, int line) {
  return {TokenKind::kPunctuation, "#", file, line, true, false, "", ""};
}

// In a literal the compiler and BlankComments() could disagree on what is a comment.
void RefuseLiterals(std::string_view code, std::string_view file, int line) {
  const std::size_t found = code.find_first_of("\"'\\#");
  if (found == std::string_view::npos) return;
  throw RewriteError(Hash(file, line),
                     std::string("a kernel's text may not have ") + code[found] + " here",
                     "leave out strings, characters and backslashes; # begins a line");
}

// `directive` is what stands behind the `#`.
void ReadDirective(std::string_view directive, Macros& macros, std::string_view file, int line) {
  directive = Stripped(directive);
  const std::string word(TakeWord(directive));
  if (word == "pragma" || word.empty()) return;
  directive = Stripped(directive);
  const std::string name(TakeWord(directive));
  const bool has_parameters = directive.starts_with("(");
  if (word != "define" || name.empty() || has_parameters || directive.ends_with("\\")) {
    throw RewriteError(Hash(file, line),
                       "a kernel's text may have only '#define NAME value' and '#pragma'",
                       "write a function for a macro with parameters, and leave out conditions");
  }
  RefuseLiterals(directive, file, line);
  if (!macros.emplace(name, Expand(Stripped(directive), macros, file, line)).second) {
    throw RewriteError(Hash(file, line), "'" + name + "' is defined twice",
                       "give each its own name");
  }
}

}  // namespace

std::string PreprocessOpenCl(std::string_view text, std::string_view file, int line) {
  const std::string plain = BlankComments(text);
  std::string code;
  Macros macros;
  int number = line;
  for (std::size_t at = 0; at < plain.size(); ++number) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    const std::string_view row = std::string_view(plain).substr(at, end - at);
    if (const std::string_view rest = Stripped(row); rest.starts_with("#")) {
      ReadDirective(rest.substr(1), macros, file, number);
    } else {
      RefuseLiterals(row, file, number);
      code += Expand(row, macros, file, number);
    }
    if (end < plain.size()) code += '\n';
    at = end + 1;
  }
  return code;
}

}  // namespace cudasim::rewriter
