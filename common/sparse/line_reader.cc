#include "common/sparse/line_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <streambuf>
#include <system_error>
#include <utility>

namespace sparse {
namespace {

constexpr int kEnd = std::char_traits<char>::eof();
constexpr std::size_t kMaxShown = 40;  // characters of a value in a message
constexpr std::string_view kSpace = " \t\r\v\f";

std::string Place(const std::string& file, std::size_t line) {
  return line == 0 ? file : file + ":" + std::to_string(line);
}

// In quotes, printable and short.
std::string Shown(std::string_view value) {
  std::string shown = "'";
  for (const char c : value.substr(0, kMaxShown)) {
    if (c >= ' ' && c <= '~') {
      shown += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof(escape), "\\x%02x", static_cast<unsigned char>(c));
    shown += escape;
  }
  return shown + (value.size() > kMaxShown ? "…'" : "'");
}

}  // namespace

ReadError::ReadError(std::string file, std::size_t line, const std::string& message,
                     const std::string& next)
    : std::runtime_error(Place(file, line) + ": error: " + message + "\n  next: " + next),
      file_(std::move(file)),
      line_(line) {}

namespace internal {

bool LineReader::Next() {
  ++line_;
  text_.clear();
  int c = Take();
  const bool is_there = c != kEnd;
  for (; c != '\n' && c != kEnd; c = Take()) {
    if (text_.size() == kMaxLineLength) {
      Refuse("line too long", text_, std::to_string(kMaxLineLength) + " characters",
             "break the line, or see whether this is a text file");
    }
    text_ += static_cast<char>(c);
  }
  Split();
  return is_there;
}

// Throws if the read fails, as that of a folder does.
int LineReader::Take() {
  try {
    return in_.rdbuf()->sbumpc();
  } catch (const std::ios_base::failure&) {
    RefuseFile("cannot read the file", "check the path and the disk");
  }
}

bool LineReader::NextWithWords(std::string_view comments) {
  while (Next()) {
    if (!words_.empty() && comments.find(words_[0][0]) == std::string_view::npos) return true;
  }
  return false;
}

void LineReader::Split() {
  words_.clear();
  const std::string_view text = text_;
  for (std::size_t at = 0;;) {
    const std::size_t begin = text.find_first_not_of(kSpace, at);
    if (begin == std::string_view::npos) return;
    at = std::min(text.find_first_of(kSpace, begin), text.size());
    words_.push_back(text.substr(begin, at - begin));
  }
}

void LineReader::Refuse(const std::string& what, std::string_view value, const std::string& limit,
                        const std::string& next) const {
  throw ReadError(name_, line_, what + ": " + Shown(value) + ", limit " + limit, next);
}

void LineReader::RefuseFile(const std::string& message, const std::string& next) const {
  throw ReadError(name_, 0, message, next);
}

void LineReader::ExpectWords(std::size_t count, const std::string& form) const {
  if (words_.size() == count) return;
  throw ReadError(name_, line_,
                  "words on a line: " + std::to_string(words_.size()) + ", limit " +
                      std::to_string(count) + ": " + form,
                  words_.size() < count ? "add what is missing" : "remove what is too much");
}

std::size_t LineReader::Whole(std::size_t index, const std::string& what, std::size_t low,
                              std::size_t high) const {
  const std::string_view word = words_[index];
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < low || value > high) {
    if (high < low) Refuse(what, word, "none, as there are 0 of them", "correct the sizes");
    Refuse(what, word, std::to_string(low) + " to " + std::to_string(high),
           "correct this number, or the limit that it exceeds");
  }
  return value;
}

std::ifstream Open(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ReadError(path.string(), 0, "cannot open the file", "check the path");
  return in;
}

}  // namespace internal
}  // namespace sparse
