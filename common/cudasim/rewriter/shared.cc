#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Declaration {
  std::size_t begin;  // first token of the statement
  std::size_t end;    // its `;`
  bool is_extern = false;
  std::size_t class_key = kNone;  // `struct` in `struct S { int a; } s;`
  std::size_t body = 0;           // the `{` of its members, if there are any
};

bool EndsStatement(const Token& token) {
  return token.Is(";") || token.Is("{") || token.Is("}") || token.Is(":");
}

bool IsAttributeGroup(const Unit& unit, std::size_t open) {
  return open > 0 &&
         (unit.tokens[open - 1].Is("alignas") || unit.tokens[open - 1].Is("__attribute__"));
}

// First token of the statement that contains `shared`.
std::size_t FindBegin(const Unit& unit, std::size_t shared) {
  std::size_t begin = shared;
  while (begin > 0) {
    const Token& previous = unit.tokens[begin - 1];
    if (EndsStatement(previous)) break;
    if (!previous.Is(")")) {
      --begin;
      continue;
    }
    const std::size_t open = FindOpen(unit, begin - 1);
    if (!IsAttributeGroup(unit, open)) break;
    begin = open - 1;
  }
  return begin;
}

Declaration FindDeclaration(const Unit& unit, std::size_t shared) {
  Declaration declaration{FindBegin(unit, shared), shared};
  while (!At(unit, declaration.end, ";")) {
    if (declaration.end >= unit.tokens.size() || IsClosingBracket(unit.tokens[declaration.end])) {
      throw RewriteError(unit.tokens[shared], "the __shared__ declaration has no ';'",
                         "end it with ';'");
    }
    const Token& token = unit.tokens[declaration.end];
    if (IsClassKey(token)) declaration.class_key = declaration.end;
    const bool is_body = token.Is("{") && declaration.class_key != kNone && !declaration.body;
    if (is_body) {
      declaration.body = declaration.end;
    } else if (token.Is("=") || token.Is("{")) {
      throw RewriteError(token, "a __shared__ variable cannot have an initialiser",
                         "let one thread assign it, then __syncthreads()");
    }
    declaration.end =
        IsOpeningBracket(token) ? FindClose(unit, declaration.end) + 1 : declaration.end + 1;
  }
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    if (unit.tokens[i].Is("extern")) declaration.is_extern = true;
    if (i < shared && IsClassKey(unit.tokens[i])) declaration.class_key = i;
  }
  return declaration;
}

// The declared names: in each declarator the last identifier outside brackets in front of `[`, `,`
// or the end.
std::vector<std::size_t> FindNames(const Unit& unit, const Declaration& declaration) {
  std::vector<std::size_t> names;
  std::size_t last = declaration.end;
  int angles = 0;
  bool dimensions = false;
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("[")) dimensions = true;
    if (IsOpeningBracket(token)) {
      i = FindClose(unit, i);
    } else if (token.Is("<")) {
      ++angles;
    } else if (token.Is(">")) {
      --angles;
    } else if (token.Is(",") && angles == 0) {
      names.push_back(last);
      dimensions = false;
    } else if (token.kind == TokenKind::kIdentifier && angles == 0 && !dimensions) {
      last = i;
    }
  }
  names.push_back(last);
  return names;
}

// The statement's text without its storage specifiers and, if asked, without its alignment.
std::string DeclarationText(Unit& unit, const Declaration& declaration, bool drop_alignment) {
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    Token& token = unit.tokens[i];
    if (token.Is("__shared__") || token.Is("extern") || token.Is("static")) token.removed = true;
    if (drop_alignment && (token.Is("alignas") || token.Is("__attribute__"))) {
      Remove(unit, i, FindClose(unit, i + 1) + 1);
    }
  }
  return Join(unit, declaration.begin, declaration.end);
}

std::string DynamicAlias(int id) { return "cudasim_dynamic_" + std::to_string(id); }

// `extern __shared__ T name[][N];`: an alias gives the element's type, whatever it is.
std::string DynamicText(Unit& unit, const Declaration& declaration, int id, bool in_function) {
  const std::size_t name = FindNames(unit, declaration).front();
  const std::string variable(unit.tokens[name].text);
  const std::string alias = DynamicAlias(id);
  unit.tokens[name].removed = true;
  unit.tokens[name].before = alias;
  const std::string element = "::std::remove_extent_t<" + alias + ">";
  std::string text = "typedef " + DeclarationText(unit, declaration, true) + "; ";
  if (in_function) {
    return text + element + "* const " + variable + " = ::cudasim::DynamicShared<" + element +
           ">()";
  }
  return text + "[[maybe_unused]] static const ::cudasim::DynamicSharedName<" + element + "> " +
         variable + "{}";
}

// `struct S { ... } s;` declares a type too, which must not be hidden in the holder.  Returns the
// type's text and leaves `struct S` in its place; empty for types without a name.
std::string TakeClass(Unit& unit, const Declaration& declaration) {
  const std::size_t open = declaration.body;
  if (open == 0 || unit.tokens[open - 1].kind != TokenKind::kIdentifier ||
      open - 1 == declaration.class_key) {
    return "";
  }
  const std::size_t close = FindClose(unit, open);
  const std::string text = Join(unit, declaration.class_key, close + 1) + "; ";
  Remove(unit, open, close + 1);
  return text;
}

// Whether `[` and `]` follow each other: an array without a size.
bool LacksSize(const Unit& unit, const Declaration& declaration) {
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    if (IsOpeningBracket(unit.tokens[i])) {
      if (At(unit, i, "[") && At(unit, i + 1, "]")) return true;
      i = FindClose(unit, i);
    }
  }
  return false;
}

// No object of the holder is created; only the types of its members are used.
std::string StaticText(Unit& unit, const Declaration& declaration, int id, const Token& at) {
  const std::vector<std::size_t> names = FindNames(unit, declaration);
  std::string text = TakeClass(unit, declaration);
  const std::string holder = "cudasim_holder_" + std::to_string(id);
  text += "struct " + holder + " { " + DeclarationText(unit, declaration, false) + "; }";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string variable(unit.tokens[names[i]].text);
    const std::string tag = "cudasim_tag_" + std::to_string(id) + "_" + std::to_string(i);
    text += "; struct " + tag + " { using Type [[maybe_unused]] = decltype(" + holder +
            "::" + variable + "); " + "static const char* Name() { return " + Quoted(variable) +
            "; } " + "static const char* File() { return " + Quoted(at.file) + "; } " +
            "static int Line() { return " + std::to_string(at.line) + "; } }; " +
            "[[maybe_unused]] auto& " + variable + " = ::cudasim::Shared<" + tag + ">()";
  }
  return text;
}

// The end of the block that the declaration lies in.
std::size_t FindScopeEnd(const Unit& unit, const Declaration& declaration) {
  std::size_t i = declaration.end;
  while (i < unit.tokens.size() && !IsClosingBracket(unit.tokens[i])) {
    i = IsOpeningBracket(unit.tokens[i]) ? FindClose(unit, i) + 1 : i + 1;
  }
  return i;
}

// The places of `decltype(name)`, in ascending order.
std::vector<std::size_t> FindDecltypes(const Unit& unit) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    if (unit.tokens[i].Is("decltype") && At(unit, i + 1, "(") && At(unit, i + 3, ")")) {
      places.push_back(i);
    }
  }
  return places;
}

// The variables are references or pointers now, but `decltype(tile)` names the declared type.
void KeepDeclaredTypes(Unit& unit, const Declaration& declaration, int id,
                       const std::vector<std::size_t>& decltypes) {
  auto place = std::lower_bound(decltypes.begin(), decltypes.end(), declaration.end);
  if (place == decltypes.end()) return;
  std::set<std::string_view> names;
  for (const std::size_t name : FindNames(unit, declaration)) names.insert(unit.tokens[name].text);
  const std::size_t end = FindScopeEnd(unit, declaration);
  for (; place != decltypes.end() && *place < end; ++place) {
    const std::size_t i = *place;
    if (names.count(unit.tokens[i + 2].text) == 0) continue;
    if (declaration.is_extern) {
      Remove(unit, i, i + 4);
      unit.tokens[i].before += " " + DynamicAlias(id);
    } else {
      unit.tokens[i].before += "::std::remove_reference_t<";
      unit.tokens[i + 3].after += ">";
    }
  }
}

void RewriteDeclaration(Unit& unit, std::size_t shared, int id, bool in_function,
                        const std::vector<std::size_t>& decltypes) {
  const Declaration declaration = FindDeclaration(unit, shared);
  const Token& at = unit.tokens[shared];
  if (!in_function && !declaration.is_extern) {
    throw RewriteError(at, "a __shared__ variable outside a function is not simulated",
                       "declare it inside the kernel");
  }
  if (!declaration.is_extern && LacksSize(unit, declaration)) {
    throw RewriteError(at, "a __shared__ array without a size needs 'extern'",
                       "write the size, or extern __shared__ if the launch gives it");
  }
  KeepDeclaredTypes(unit, declaration, id, decltypes);
  const std::string text = declaration.is_extern ? DynamicText(unit, declaration, id, in_function)
                                                 : StaticText(unit, declaration, id, at);
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    unit.tokens[i].removed = true;
    unit.tokens[i].before = unit.tokens[i].after = "";
  }
  unit.tokens[declaration.begin].before = text;
}

// With the priority of CUDASIM_BEFORE_THE_PROGRAM.
constexpr const char* kPlaces =
    "template <class Tag> __attribute__((init_priority(101))) const ::cudasim::SharedOffset "
    "cudasim::SharedPlace<Tag>::offset(::cudasim::VariableOf<Tag>());\n";

}  // namespace

void RewriteShared(Unit& unit, const std::vector<Scope>& scopes) {
  const std::vector<std::size_t> decltypes = FindDecltypes(unit);
  int id = 0;
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("__shared__") && !token.removed) {
      RewriteDeclaration(unit, i, id++, IsFunction(scopes[i]), decltypes);
    }
  }
  if (id > 0) PrependDeclarations(unit, kPlaces);
}

}  // namespace cudasim::rewriter
