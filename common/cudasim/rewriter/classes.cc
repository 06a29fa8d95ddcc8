#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// Source file, line and name of a class: the location of its implicit members in debug information.
using Place = std::tuple<std::string_view, int, std::string_view>;

bool EndsSearch(const Token& token) {
  return IsClassKey(token) || token.Is(";") || token.Is("=") || token.Is(")") || token.Is(",") ||
         token.Is(">") || token.Is("}");
}

// The end of a class's head from `class` at `index` on: its `{` or the `:` before its bases; 0 if
// no class is defined there.
std::size_t FindHeadEnd(const Unit& unit, std::size_t index) {
  int angles = 0;  // of a specialisation's arguments
  for (std::size_t i = index + 1; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("{") || token.Is(":")) return i;
    if (token.Is("(") || token.Is("[")) {
      i = FindClose(unit, i);
    } else if (token.Is("<")) {
      ++angles;
    } else if (token.Is(">") && angles > 0) {
      --angles;
    } else if (angles == 0 && EndsSearch(token)) {
      return 0;
    }
  }
  return 0;
}

void AddClass(const Unit& unit, std::size_t index, std::set<Place>& places) {
  const std::size_t end = FindHeadEnd(unit, index);
  for (std::size_t i = index; i < end; ++i) {
    const Token& token = unit.tokens[i];
    if (token.kind == TokenKind::kIdentifier) places.insert({token.file, token.line, token.text});
  }
}

// `X(const X&) = default;` with the `=` at `index`.
void AddDefaulted(const Unit& unit, std::size_t index, std::set<Place>& places) {
  std::size_t close = index - 1;
  while (close > 0 && unit.tokens[close].kind == TokenKind::kIdentifier) --close;  // noexcept
  if (!At(unit, close, ")")) return;
  const std::size_t open = FindOpen(unit, close);
  if (open == 0) return;
  const Token& name = unit.tokens[open - 1];
  const Token& first = name.Is("=") && open > 1 ? unit.tokens[open - 2] : name;  // operator=
  places.insert({first.file, first.line, first.text});
}

// The first token of the file itself; 0 if the headers that it begins with leave something open.
std::size_t BehindHeaders(const Unit& unit) {
  const std::string_view text = *unit.source;
  const std::size_t begin = text.find('"') + 1;  // of its name, in the first line marker
  const std::string_view file = text.substr(begin, text.find('"', begin) - begin);
  const auto found = std::ranges::find(unit.tokens, file, &Token::file);
  if (found == unit.tokens.begin() || found == unit.tokens.end()) return 0;
  const auto opened = std::count_if(unit.tokens.begin(), found, IsOpeningBracket);
  const auto closed = std::count_if(unit.tokens.begin(), found, IsClosingBracket);
  const Token& last = *std::prev(found);
  if (opened != closed || !(last.Is(";") || last.Is("}"))) return 0;
  return static_cast<std::size_t>(found - unit.tokens.begin());
}

}  // namespace

void PrependDeclarations(Unit& unit, const std::string& text) {
  Token& first = unit.tokens[BehindHeaders(unit)];
  first.before = "\n" + text + "# " + std::to_string(first.line) + " \"" + std::string(first.file) +
                 "\"\n" + first.before;
}

void ListClasses(Unit& unit) {
  std::set<Place> places;
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (IsClassKey(token)) AddClass(unit, i, places);
    if (i > 0 && token.Is("=") && At(unit, i + 1, "default")) AddDefaulted(unit, i, places);
  }
  if (places.empty()) return;
  std::string table = "const ::cudasim::ClassPlace cudasim_class_places[] = {";
  for (const auto& [file, line, name] : places) {
    table += "{\"" + std::string(file) + "\", " + std::to_string(line) + ", \"" +
             std::string(name) + "\"}, ";
  }
  table += "};\nconst ::cudasim::ClassPlaces cudasim_classes(cudasim_class_places);\n";
  PrependDeclarations(unit, table);
}

}  // namespace cudasim::rewriter
