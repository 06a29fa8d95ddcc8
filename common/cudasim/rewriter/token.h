// The unit of rewriting: preprocessed text cut into tokens and the gaps between them.
//
// Passes never touch gaps, which hold every newline and line marker, so the compiler's diagnostics
// and debug information keep the lines of the source.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudasim::rewriter {

enum class TokenKind { kIdentifier, kNumber, kString, kCharacter, kPunctuation };

struct Token {
  TokenKind kind;
  std::string_view
      text;  // into Unit::source; punctuation is one character, or `::`, `->`, `>=`, `<=`
  std::string_view file;  // as spelled in the line marker, escapes included
  int line;
  bool follows_gap;  // false: nothing lies between the previous token and this one
  bool removed = false;
  std::string before;  // inserted in front of the token, also of a removed one
  std::string after;   // inserted behind it

  bool Is(std::string_view what) const { return text == what; }
};

// A whole translation unit.  gaps[i] precedes tokens[i]; gaps.back() ends the file.  Text from
// system headers lies in gaps as a whole.
struct Unit {
  std::shared_ptr<const std::string> source;
  std::vector<Token> tokens;
  std::vector<std::string_view> gaps;
};

// Thrown for source that cannot be turned into C++; what() is the message without file and line.
class RewriteError : public std::runtime_error {
 public:
  RewriteError(const Token& at, const std::string& message, std::string next = "");

  const std::string& file() const { return file_; }
  int line() const { return line_; }
  const std::string& next() const { return next_; }  // what to do about it; may be empty

 private:
  std::string file_;
  int line_;
  std::string next_;
};

// Index of the bracket that closes or opens the one at `index`.  Throws RewriteError if there is
// none.  Linear in the distance.
std::size_t FindClose(const Unit& unit, std::size_t index);
std::size_t FindOpen(const Unit& unit, std::size_t index);

// True if tokens[index] exists and has this text.
bool At(const Unit& unit, std::size_t index, std::string_view text);

// True if three adjacent tokens from `index` are all `character`, as in `<<<`.
bool IsTriple(const Unit& unit, std::size_t index, std::string_view character);

// The same with a gap in the line before the third, as some editors format launches: `<< <`.
bool IsTripleWithGap(const Unit& unit, std::size_t index, std::string_view character);

// True if a launch's configuration begins at `index`. `<< <` is nothing else in C++.
bool IsLaunch(const Unit& unit, std::size_t index);

bool IsOpeningBracket(const Token& token);
bool IsClosingBracket(const Token& token);

// The tokens [begin, end) as text on one line, without those that are removed.
std::string Join(const Unit& unit, std::size_t begin, std::size_t end);

// Whether a class's definition or an elaborated type may begin with the token.
inline bool IsClassKey(const Token& token) {
  return token.Is("class") || token.Is("struct") || token.Is("union");
}

// The text, which has nothing to escape, as a string literal.
inline std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

// Marks the tokens [begin, end) as removed.
void Remove(Unit& unit, std::size_t begin, std::size_t end);

}  // namespace cudasim::rewriter
