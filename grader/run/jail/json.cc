#include "grader/run/jail/json.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace grader {
namespace {

// Length of the UTF-8 character at the start of the text; 0 when there is none (overlong forms,
// surrogates and numbers above U+10FFFF included).
std::size_t Utf8Length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF5   ? 0
                             : lead >= 0xF0 ? 4
                             : lead >= 0xE0 ? 3
                             : lead >= 0xC2 ? 2
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    value = value << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  return overlong || surrogate || value > 0x10FFFF ? 0 : length;
}

std::string Escaped(char character) {
  if (character == '"') return "\\\"";
  if (character == '\\') return "\\\\";
  if (character == '\n') return "\\n";
  if (character == '\t') return "\\t";
  const auto code = static_cast<unsigned char>(character);
  if (code >= 0x20 && code != 0x7F) return std::string(1, character);
  char escape[8];
  snprintf(escape, sizeof escape, "\\u%04x", code);
  return escape;
}

}  // namespace

std::string JsonString(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = Utf8Length(text);
    if (length == 1) {
      result += Escaped(text[0]);
    } else {
      result += length == 0 ? "\xEF\xBF\xBD" : text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + "\"";
}

std::string JsonArray(const std::vector<std::string>& texts) {
  std::string result = "[";
  for (const std::string& text : texts) {
    if (result.size() > 1) result += ",";
    result += JsonString(text);
  }
  return result + "]";
}

std::string JsonNumber(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 6).ptr;
  return std::string(text, end);
}

}  // namespace grader
