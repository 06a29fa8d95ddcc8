#include <set>
#include <string_view>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

using Names = std::set<std::string_view>;

bool IsVolatile(const Unit& unit, std::size_t index) {
  if (!unit.tokens[index].Is("volatile")) return false;
  return index == 0 || !(unit.tokens[index - 1].Is("asm") || unit.tokens[index - 1].Is("__asm__"));
}

// All names of the statements and headers of functions that say `volatile`, and that word.  Types
// decide which of them are volatile.
Names FindNames(const Unit& unit) {
  Names names;
  std::size_t begin = 0;
  bool has_volatile = false;
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    has_volatile |= IsVolatile(unit, i);
    if (!token.Is(";") && !token.Is("{") && !token.Is("}")) continue;
    for (; has_volatile && begin < i; ++begin) {
      if (unit.tokens[begin].kind == TokenKind::kIdentifier) names.insert(unit.tokens[begin].text);
    }
    begin = i + 1;
    has_volatile = false;
  }
  return names;
}

// Those of `names` that the tokens [begin, end) mention.
Names NamesIn(const Unit& unit, std::size_t begin, std::size_t end, const Names& names) {
  Names found;
  for (std::size_t i = begin; i < end; ++i) {
    if (names.contains(unit.tokens[i].text)) found.insert(unit.tokens[i].text);
  }
  return found;
}

bool IsName(const Unit& unit, std::size_t index) {
  return index < unit.tokens.size() && unit.tokens[index].kind == TokenKind::kIdentifier;
}

// The end of the element that the statement at `index` may assign to: v[i], s.v[i], *(v + i),
// ((volatile int*)v)[i].  0: it begins with something else, such as a declaration.
std::size_t FindElement(const Unit& unit, std::size_t index) {
  std::size_t end = index;
  const bool dereferences = At(unit, end, "*");
  while (At(unit, end, "*")) ++end;
  if (At(unit, end, "(")) {
    end = FindClose(unit, end) + 1;
  } else if (IsName(unit, end) && !At(unit, end, "auto")) {
    ++end;
  } else {
    return 0;
  }
  for (;;) {
    if (At(unit, end, "[")) {
      end = FindClose(unit, end) + 1;
    } else if ((At(unit, end, ".") || At(unit, end, "->") || At(unit, end, "::")) &&
               IsName(unit, end + 1)) {
      end += 2;
    } else {
      return dereferences || At(unit, end - 1, "]") ? end : 0;
    }
  }
}

struct Assignment {
  std::size_t value = 0;  // where it begins; 0: no assignment
  bool is_compound = false;
};

Assignment AssignmentAt(const Unit& unit, std::size_t index) {
  constexpr std::string_view kOperators = "+-*/%&|^";
  if (At(unit, index, "=")) return {At(unit, index + 1, "=") ? 0 : index + 1, false};
  if (index + 1 >= unit.tokens.size() || unit.tokens[index + 1].follows_gap) return {};
  const std::string_view first = unit.tokens[index].text;
  const bool shifts =
      (first == "<" && At(unit, index + 1, "<=")) || (first == ">" && At(unit, index + 1, ">="));
  const bool computes =
      first.size() == 1 && kOperators.find(first) != kOperators.npos && At(unit, index + 1, "=");
  return {shifts || computes ? index + 2 : 0, true};
}

std::size_t EndOfStatement(const Unit& unit, std::size_t index) {
  while (index < unit.tokens.size() && !unit.tokens[index].Is(";")) ++index;
  return index;
}

}  // namespace

void RewriteVolatileAssignments(Unit& unit, const std::vector<Scope>& scopes) {
  const Names names = FindNames(unit);
  if (names.empty() || !HeadersDeclare(unit, "InLockstep")) return;
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    if (!IsDevice(scopes[i]) || !BeginsStatement(unit, i)) continue;
    const std::size_t end = FindElement(unit, i);
    if (end == 0) continue;
    const Assignment assignment = AssignmentAt(unit, end);
    const Names own = NamesIn(unit, i, end, names);
    if (assignment.value == 0 || own.empty()) continue;
    const bool is_update =
        assignment.is_compound ||
        !NamesIn(unit, assignment.value, EndOfStatement(unit, assignment.value), own).empty();
    unit.tokens[i].before +=
        is_update ? "::cudasim::InLockstep<true>(" : "::cudasim::InLockstep<false>(";
    unit.tokens[end - 1].after += ")";
  }
}

}  // namespace cudasim::rewriter
