#include "common/cudasim/rewriter/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>

namespace cudasim::rewriter {
namespace {

constexpr std::int64_t kMaxLine = std::numeric_limits<int>::max();

bool IsIdentifierStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool IsIdentifierPart(char c) {
  return IsIdentifierStart(c) || std::isdigit(static_cast<unsigned char>(c));
}

class Lexer {
 public:
  explicit Lexer(Unit& unit) : unit_(unit), text_(*unit.source) {}

  void Run() {
    while (position_ < text_.size()) {
      if (at_line_start_ && TakeDirective()) continue;
      if (in_system_header_) {
        SkipLine();
      } else if (std::isspace(static_cast<unsigned char>(text_[position_]))) {
        SkipSpace();
      } else {
        TakeToken();
      }
    }
    unit_.gaps.push_back(text_.substr(gap_begin_));
  }

 private:
  char Peek(std::size_t offset) const {
    return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
  }

  // A line that begins with `#`: a line marker or a pragma.  Markers set file, line and system
  // flag.
  bool TakeDirective() {
    std::size_t i = text_.find_first_not_of(" \t", position_);
    if (i == std::string_view::npos || text_[i] != '#') return false;
    const std::size_t end = std::min(text_.find('\n', i), text_.size());
    ParseLineMarker(text_.substr(i + 1, end - i - 1));
    position_ = std::min(end + 1, text_.size());
    return true;
  }

  void ParseLineMarker(std::string_view marker) {
    ++line_;
    std::size_t i = marker.find_first_not_of(" \t");
    if (i != std::string_view::npos && marker.substr(i, 5) == "line ") {
      i = marker.find_first_not_of(" \t", i + 5);
    }
    if (i == std::string_view::npos || !std::isdigit(static_cast<unsigned char>(marker[i]))) return;
    line_ = 0;
    for (; i < marker.size() && std::isdigit(static_cast<unsigned char>(marker[i])); ++i) {
      line_ = std::min(line_ * 10 + (marker[i] - '0'), kMaxLine);
    }
    const std::size_t open = marker.find('"', i);
    const std::size_t close = marker.rfind('"');
    if (open == std::string_view::npos || close == open) return;
    EnterFile(marker.substr(open + 1, close - open - 1), marker.substr(close + 1));
  }

  // Flag 1: begin of an included file, 2: return to a file, 3: system header.  A macro of a system
  // header that the program's own text uses (NULL, CHAR_BIT, __align__) also has flag 3, but
  // neither 1 nor 2: its expansion belongs to the program's text.
  void EnterFile(std::string_view file, std::string_view flags) {
    const bool is_expansion = file == file_ && flags.find_first_of("12") == std::string_view::npos;
    file_ = file;
    if (is_expansion && !in_system_header_) return;
    in_system_header_ = flags.find('3') != std::string_view::npos || file_.substr(0, 1) == "<";
  }

  void SkipLine() {
    position_ = std::min(text_.find('\n', position_), text_.size());
    if (position_ < text_.size()) SkipSpace();
  }

  void SkipSpace() {
    if (text_[position_] == '\n') {
      ++line_;
      at_line_start_ = true;
    }
    ++position_;
  }

  void TakeToken() {
    at_line_start_ = false;
    const std::size_t begin = position_;
    const auto line = static_cast<int>(std::min(line_, kMaxLine));
    const TokenKind kind = Scan();
    const bool first = unit_.tokens.empty();
    unit_.gaps.push_back(text_.substr(gap_begin_, begin - gap_begin_));
    unit_.tokens.push_back({kind, text_.substr(begin, position_ - begin), file_, line,
                            first || begin != gap_begin_, false, "", ""});
    gap_begin_ = position_;
  }

  void SkipIdentifier() {
    while (IsIdentifierPart(Peek(0))) ++position_;
  }

  TokenKind Scan() {
    const char c = text_[position_];
    if (IsIdentifierStart(c)) {
      const std::size_t begin = position_;
      SkipIdentifier();
      return ScanPrefixedLiteral(text_.substr(begin, position_ - begin));
    }
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && std::isdigit(static_cast<unsigned char>(Peek(1))))) {
      return ScanNumber();
    }
    if (c == '"') return ScanQuoted('"', TokenKind::kString);
    if (c == '\'') return ScanQuoted('\'', TokenKind::kCharacter);
    const std::string_view two = text_.substr(position_, 2);
    position_ += two == "::" || two == "->" || two == ">=" || two == "<=" ? 2 : 1;
    return TokenKind::kPunctuation;
  }

  // After an identifier: u8"...", L'x' and R"(...)" are one token with their prefix.
  TokenKind ScanPrefixedLiteral(std::string_view prefix) {
    const bool encoding = prefix == "u8" || prefix == "u" || prefix == "U" || prefix == "L";
    const bool raw =
        prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR";
    if (raw && Peek(0) == '"') return ScanRawString();
    if (encoding && Peek(0) == '"') return ScanQuoted('"', TokenKind::kString);
    if (encoding && Peek(0) == '\'') return ScanQuoted('\'', TokenKind::kCharacter);
    return TokenKind::kIdentifier;
  }

  TokenKind ScanRawString() {
    const std::size_t open = text_.find('(', position_);
    std::size_t end = std::string_view::npos;
    if (open != std::string_view::npos) {
      const std::string_view delimiter = text_.substr(position_ + 1, open - position_ - 1);
      const std::string closing = ")" + std::string(delimiter) + "\"";
      end = text_.find(closing, open);
      if (end != std::string_view::npos) end += closing.size();
    }
    end = std::min(end, text_.size());
    for (; position_ < end; ++position_) line_ += text_[position_] == '\n';
    return TokenKind::kString;
  }

  TokenKind ScanQuoted(char quote, TokenKind kind) {
    ++position_;
    while (position_ < text_.size() && Peek(0) != quote && Peek(0) != '\n') {
      position_ += Peek(0) == '\\' && Peek(1) != '\n' ? 2 : 1;
    }
    if (Peek(0) == quote) {
      ++position_;
      // "a"R"(" is a literal with a user-defined suffix, and a string: no raw string begins here.
      if (IsIdentifierStart(Peek(0))) SkipIdentifier();
    }
    position_ = std::min(position_, text_.size());
    return kind;
  }

  TokenKind ScanNumber() {
    while (IsIdentifierPart(Peek(0)) || Peek(0) == '.' ||
           (Peek(0) == '\'' && IsIdentifierPart(Peek(1)))) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(Peek(0))));
      ++position_;
      const bool exponent = (c == 'e' || c == 'p') && (Peek(0) == '+' || Peek(0) == '-');
      if (exponent) ++position_;
    }
    return TokenKind::kNumber;
  }

  Unit& unit_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t gap_begin_ = 0;
  std::string_view file_ = "<input>";
  std::int64_t line_ = 1;  // may exceed kMaxLine after a marker with a large number
  bool at_line_start_ = true;
  bool in_system_header_ = false;
};

// Pragmas of device compilers, which g++ would warn of, become blank lines.
void AppendGap(std::string& text, std::string_view gap) {
  constexpr std::array<std::string_view, 5> kDevicePragmas = {
      "#pragma unroll", "#pragma nounroll", "#pragma nv_", "#pragma hd_warning_disable",
      "#pragma diag_"};
  std::size_t begin = 0;
  for (std::size_t at = gap.find("#pragma "); at != std::string_view::npos;
       at = gap.find("#pragma ", begin)) {
    text += gap.substr(begin, at - begin);
    begin = std::min(gap.find('\n', at), gap.size());
    const std::string_view pragma = gap.substr(at, begin - at);
    const bool drop = std::any_of(kDevicePragmas.begin(), kDevicePragmas.end(),
                                  [pragma](std::string_view p) { return pragma.starts_with(p); });
    if (!drop) text += pragma;
  }
  text += gap.substr(begin);
}

}  // namespace

Unit Lex(std::string source) {
  Unit unit;
  unit.source = std::make_shared<const std::string>(std::move(source));
  Lexer(unit).Run();
  return unit;
}

std::string Print(const Unit& unit) {
  std::string text;
  text.reserve(unit.source->size() + unit.source->size() / 8);
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    AppendGap(text, unit.gaps[i]);
    text += token.before;
    if (!token.removed) text += token.text;
    text += token.after;
  }
  AppendGap(text, unit.gaps.back());
  return text;
}

}  // namespace cudasim::rewriter
