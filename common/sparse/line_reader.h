#pragma once

// Lines of words, and errors that name the line. For the readers of this folder.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/sparse/read.h"

namespace sparse::internal {

// Not thread-safe. The stream must outlive it.
class LineReader {
 public:
  LineReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  // Goes to the next line; false at the end of the file. Throws ReadError for a line that is too
  // long, and where the file cannot be read on.
  bool Next();
  // Goes to the next line that has a word and does not begin with one of `comments`.
  bool NextWithWords(std::string_view comments);

  // This line's words, valid until the next call of Next. A NUL is a character like any other.
  const std::vector<std::string_view>& words() const { return words_; }

  // Throws a ReadError about this line, or about the file.
  [[noreturn]] void Refuse(const std::string& what, std::string_view value,
                           const std::string& limit, const std::string& next) const;
  [[noreturn]] void RefuseFile(const std::string& message, const std::string& next) const;

  // Throws unless this line has `count` words; `form` says which.
  void ExpectWords(std::size_t count, const std::string& form) const;
  // Word `index` as a whole number from `low` to `high`; throws if it is none.
  std::size_t Whole(std::size_t index, const std::string& what, std::size_t low,
                    std::size_t high) const;

 private:
  // The next character, or the end of the file.
  int Take();
  void Split();

  std::istream& in_;
  std::string name_;
  std::size_t line_ = 0;
  std::string text_;
  std::vector<std::string_view> words_;
};

// Opens a file; throws ReadError if that is impossible.
std::ifstream Open(const std::filesystem::path& path);

}  // namespace sparse::internal
